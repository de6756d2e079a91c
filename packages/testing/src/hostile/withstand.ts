const guarded = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype];
const before = guarded.map((prototype) => Reflect.ownKeys(prototype).length);

/** What any one input may take, on a machine that is busy with other things; where time grows with a square, it takes minutes. */
const mostMs = 20_000;

/** Runs a parser on hostile input: it must come back soon, and must not have touched what every object inherits. */
export function withstand<T>(parse: () => T): T {
  const started = performance.now();
  try {
    return parse();
  } finally {
    check(started);
  }
}

/** The same for one that takes turns. */
export async function withstandAsync<T>(parse: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await parse();
  } finally {
    check(started);
  }
}

function check(started: number): void {
  const took = performance.now() - started;
  if (took > mostMs) throw new Error(`it took ${Math.round(took)} ms`);
  if (guarded.some((prototype, index) => Reflect.ownKeys(prototype).length !== before[index]))
    throw new Error('it has changed what every object inherits');
}
