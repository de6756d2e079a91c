import { parentPort } from 'node:worker_threads';
import { collectYoung } from './collect-young.ts';
import { decodeChunk, type StoredChunk } from './decode-chunk.ts';
import { DecodeError } from './decode-error.ts';
import type { Decoded } from './decode-pool.ts';
import { free } from './free.ts';
import { chooseLzma } from './lzma/lzma.ts';

// The other side of DecodePool: a chunk comes, its bytes go back.
const decodeLzma = chooseLzma();

parentPort?.on('message', (chunk: StoredChunk) => {
  const answer = decoded(chunk);
  const transferred = 'plain' in answer ? [answer.plain.buffer] : [];
  parentPort?.postMessage(answer, transferred);
  // A native library's memory cannot be given back by hand.
  collectYoung();
});

function decoded(chunk: StoredChunk): Decoded {
  try {
    return { plain: alone(decodeChunk(chunk, decodeLzma)) };
  } catch (error) {
    if (error instanceof DecodeError) return { problem: error.message };
    throw error;
  } finally {
    free(chunk.stored);
  }
}

/** Bytes that may leave the thread: in memory that holds nothing else, and that is not a native library's. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  free(bytes);
  return copy;
}
