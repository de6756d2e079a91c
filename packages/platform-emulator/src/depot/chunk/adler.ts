const modulus = 65_521;
// The most bytes whose sums stay below 2^32 when the modulo is put off.
const run = 5_552;

/** Adler-32 as manifests use it: with seed 0, where everyone else's begins with 1 (docs/platform-emulator.md, wire: manifest). */
export function adlerFromZero(bytes: Uint8Array): number {
  let low = 0;
  let high = 0;
  for (let start = 0; start < bytes.length; start += run) {
    const end = Math.min(start + run, bytes.length);
    for (let index = start; index < end; index++) {
      low += bytes[index] ?? 0;
      high += low;
    }
    low %= modulus;
    high %= modulus;
  }
  return ((high << 16) | low) >>> 0;
}
