/**
 * Gives the memory of bytes back now, where nobody else has a part in it. The collector counts what lies outside of its heap
 * so loosely that a download would otherwise pile up a hundred megabytes of it in every thread.
 */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength > byteLength + mostSpareBytes) return;
  try {
    buffer.transfer(0);
  } catch {
    // Memory of a native library's, which the collector gives back after all.
  }
}

/** A view may leave out the head of an answer or some padding; one that leaves out more is of memory that is shared. */
const mostSpareBytes = 2_048;
