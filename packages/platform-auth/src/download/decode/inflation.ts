/** Below this zlib takes no piece size. */
const smallestPieceBytes = 64;

/** Settings for node:zlib when the size is known: one piece that everything fits in, and an end to whatever would swell. */
export function inflationOf(bytes: number): { readonly chunkSize: number; readonly maxOutputLength: number } {
  return { chunkSize: Math.max(bytes, smallestPieceBytes), maxOutputLength: Math.max(bytes, 1) };
}
