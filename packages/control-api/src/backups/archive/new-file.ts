import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createZstdCompress } from 'node:zlib';
import { saying, writing } from './disk-errors.ts';
import { chunkBytes, compression, sha256, trailerStart } from './file-frames.ts';
import type { Extent } from './read.ts';
import { through } from './through.ts';

/** An archive that is written, and can be read back from the disk meanwhile. */
export class NewFile implements Extent {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #hash = sha256();
  #grown = Promise.withResolvers<void>();
  #bodyEnd: number | undefined;
  frame = 0;
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx', 0o600);
  }

  begin(manifestFrame: Buffer): void {
    this.#write(manifestFrame);
    this.frame = manifestFrame.length;
  }

  /** Everything else, compressed. Whoever reads it back is told what goes wrong, too. */
  async fill(parts: Iterable<Buffer>): Promise<void> {
    try {
      await through(createZstdCompress(compression), parts, async (chunks) => {
        for await (const chunk of chunks) {
          this.#write(chunk);
          this.#grown.resolve();
          this.#grown = Promise.withResolvers();
        }
      });
      this.#end();
    } catch (error) {
      // It may be that nobody waits any more.
      this.#grown.promise.catch(() => {});
      this.#grown.reject(error);
      throw error;
    }
  }

  async readableFrom(at: number): Promise<number> {
    while (this.#bodyEnd === undefined && this.bytes < at + chunkBytes) await this.#grown.promise;
    return this.#bodyEnd ?? this.bytes;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #end(): void {
    const bodyEnd = this.bytes;
    this.#write(trailerStart(this.frame));
    this.#put(this.#hash.digest());
    saying(writing(this.#path), () => fsyncSync(this.#descriptor));
    this.#bodyEnd = bodyEnd;
    this.#grown.resolve();
  }

  #write(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#put(chunk);
  }

  #put(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; )
      at += saying(writing(this.#path), () => writeSync(this.#descriptor, chunk, at));
    this.bytes += chunk.length;
  }
}
