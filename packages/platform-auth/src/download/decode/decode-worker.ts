import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { decodeChunk, type StoredChunk } from './decode-chunk.ts';
import { DecodeError } from './decode-error.ts';
import type { Decoded, FromDecoder } from './decode-pool.ts';
import { free } from './free.ts';
import { chooseLzma } from './lzma.ts';

// The other side of DecodePool: a chunk comes, its bytes go back.
const decodeLzma = chooseLzma((warning) => parentPort?.postMessage({ warning } satisfies FromDecoder));

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

// It stays set: the flag is the whole process's, and another of these threads may be about to get hold of its own collector.
setFlagsFromString('--expose-gc');
const collect: (how: { readonly type: 'minor' }) => void = runInNewContext('gc');

/**
 * Collects what has just been made and is needed no more. The collector does not count what lies outside of its heap here, and
 * would let dozens of megabytes of it stand.
 */
function collectYoung(): void {
  collect({ type: 'minor' });
}
