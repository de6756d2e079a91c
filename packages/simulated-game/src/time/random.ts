// The xoshiro128** generator: 128 bits of state, no cycle that a simulation could meet, and the same on every machine.
const stateWords = 4;
const twoTo32 = 2 ** 32;

/** Every chance in the farm. The same seed gives the same choices in the same order. */
export class Random {
  readonly #seed: string;
  readonly #state: Uint32Array;

  constructor(seed: string) {
    this.#seed = seed;
    this.#state = spread(seed);
  }

  /** A stream of its own, so that what one player does never changes what another one draws. */
  fork(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  /** 0 inclusive to 1 exclusive. */
  fraction(): number {
    return this.#next() / twoTo32;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** An integer between both bounds, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  bits64(): bigint {
    return (BigInt(this.#next()) << 32n) | BigInt(this.#next());
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.integer(0, choices.length - 1)] ?? choices[0];
  }

  #next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#state;
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const third = c ^ a;
    const fourth = d ^ b;
    this.#state[0] = a ^ fourth;
    this.#state[1] = b ^ third;
    this.#state[2] = third ^ (b << 9);
    this.#state[3] = rotate(fourth, 11);
    return result;
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** FNV-1a over the text, then a mixing step a word: texts that differ little give states that differ much. */
function spread(seed: string): Uint32Array {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) hash = Math.imul(hash ^ byte, 0x01000193);
  const state = new Uint32Array(stateWords);
  for (let word = 0; word < stateWords; word++) {
    hash = (hash + 0x9e3779b9) | 0;
    let mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    state[word] = mixed ^ (mixed >>> 15);
  }
  return state;
}
