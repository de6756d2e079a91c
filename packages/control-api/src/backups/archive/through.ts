import type { Transform } from 'node:stream';
import { ArchiveError } from './archivist.ts';

/**
 * Puts the parts through a stream of zlib, and has what comes out taken; rejects with what went wrong first. A part's memory may be used
 * again once the next but one is asked for: while zlib works on one, which it does in another thread, the next is read. The memory of
 * what comes out is given back once more is asked for.
 */
export async function through(
  stream: Transform,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  take: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const wrong: unknown[] = [];
  const failed = (error: unknown): void => {
    wrong.push(error);
    stream.destroy();
  };
  const taken = take(givingBack(stream)).catch(failed);
  try {
    let written = Promise.resolve();
    for await (const part of parts) {
      await beforeEnd(written, taken);
      written = writtenTo(stream, part);
    }
    await beforeEnd(written, taken);
    stream.end();
  } catch (error) {
    failed(error);
  }
  await taken;
  if (wrong.length > 0) throw wrong[0];
}

/** Frees the memory now; the garbage collector would let it pile up. */
async function* givingBack(stream: AsyncIterable<Buffer<ArrayBuffer>>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    yield chunk;
    // Memory of which it is but a piece may be another's, too.
    if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
  }
}

/** Behind the end of what it decompresses, zlib takes nothing more, and never says so. */
async function beforeEnd(written: Promise<void>, taken: Promise<void>): Promise<void> {
  const over = new ArchiveError('damaged', 'there is more data after its end');
  await Promise.race([written, taken.then(() => Promise.reject(over))]);
}

function writtenTo(stream: Transform, part: Buffer): Promise<void> {
  const written = new Promise<void>((done, failed) => {
    stream.write(part, (error) => (error ? failed(error) : done()));
  });
  // Where the next part cannot be read, nobody waits for it any more.
  written.catch(() => {});
  return written;
}
