import type { Transform } from 'node:stream';

/**
 * Puts the parts through a stream of zlib, and has what comes out taken; rejects with what went wrong first. A part's memory may be used again once the
 * next but one is asked for: while zlib works on one, which it does in a thread of its own, the next is read.
 */
export async function through(
  stream: Transform,
  parts: Iterable<Buffer>,
  take: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const wrong: unknown[] = [];
  const taken = take(stream).catch((error: unknown) => {
    wrong.push(error);
    stream.destroy();
  });
  try {
    let written = Promise.resolve();
    for (const part of parts) {
      await written;
      written = writtenTo(stream, part);
    }
    await written;
    stream.end();
  } catch (error) {
    wrong.push(error);
    stream.destroy();
  }
  await taken;
  if (wrong.length > 0) throw wrong[0];
}

function writtenTo(stream: Transform, part: Buffer): Promise<void> {
  return new Promise((done, failed) => {
    stream.write(part, (error) => (error ? failed(error) : done()));
  });
}
