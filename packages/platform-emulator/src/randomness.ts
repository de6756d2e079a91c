import { createHash, hkdfSync } from 'node:crypto';

/** Everything that looks random on the emulated platform, from one seed: the same seed gives the same platform. */
export class Randomness {
  readonly #seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Always the same bytes for one name: keys that must outlive a restart. */
  key(name: string, length = 32): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#seed, 'platform-emulator', name, length));
  }

  /** The next bytes of the one stream that everything else draws from. */
  bytes(length: number): Buffer {
    const blocks: Buffer[] = [];
    for (let size = 0; size < length; size += 32) {
      this.#drawn += 1;
      blocks.push(createHash('sha256').update(`${this.#seed}:${this.#drawn}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, length);
  }

  /** A decimal unsigned integer below 2^63 and never 0, as the platform uses for clients, sessions and request codes. */
  id(): string {
    return String((this.bytes(8).readBigUInt64LE() >> 1n) | 1n);
  }
}
