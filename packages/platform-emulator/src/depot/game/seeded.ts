import { createHash } from 'node:crypto';

/** Numbers in [0, 1) that a label decides: the same label, the same row of numbers, whatever else is drawn. */
export function seededNumbers(label: string): () => number {
  let pool = Buffer.alloc(0);
  let used = 0;
  let round = 0;
  return () => {
    if (used + 4 > pool.length) {
      pool = createHash('sha512').update(`${label} ${round}`).digest();
      round++;
      used = 0;
    }
    const number = pool.readUInt32LE(used) / 2 ** 32;
    used += 4;
    return number;
  };
}
