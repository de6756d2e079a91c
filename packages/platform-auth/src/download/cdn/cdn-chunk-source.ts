import type { DecodePool } from '../decode/decode-pool.ts';
import { free } from '../decode/free.ts';
import type { ChunkSource, WantedChunk } from '../manifest/manifest.ts';
import type { ContentServers } from './content-servers.ts';

/** Chunks that are fetched, decoded or written at a time: enough to keep a fast line busy through their latencies. */
export const mostAtOnce = 16;
/** Their bytes, stored and plain. What the runtime and the decoders need comes on top. */
const mostBytes = 24 * 1024 * 1024;

/** What is needed to open a depot. */
export interface OpenDepot {
  readonly appId: number;
  readonly key: Uint8Array;
}

export interface CdnChunkSourceParts {
  readonly servers: ContentServers;
  readonly pool: DecodePool;
  readonly depot: (depotId: number) => OpenDepot;
}

/** Chunks from the content servers: one queue over everything that is wanted, bounded in count and in bytes. */
export class CdnChunkSource implements ChunkSource {
  readonly #parts: CdnChunkSourceParts;

  constructor(parts: CdnChunkSourceParts) {
    this.#parts = parts;
  }

  async fetchAll<W extends WantedChunk>(
    wanted: Iterable<W> | AsyncIterable<W>,
    deliver: (wanted: W, data: Uint8Array) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    const budget = new MemoryBudget();
    const running = new Set<Promise<void>>();
    // The first failure ends the rest, which then only tells that it was ended.
    const failed = (error: unknown) => stop.abort(error);
    try {
      for await (const each of wanted) {
        const { bytes, storedBytes } = each.chunk;
        const release = await budget.take(bytes + storedBytes, until);
        const one = this.#fetch(each, deliver, until)
          .catch(failed)
          .finally(() => {
            release();
            running.delete(one);
          });
        running.add(one);
      }
    } catch (error) {
      failed(error);
    }
    await Promise.all(running);
    until.throwIfAborted();
  }

  async #fetch<W extends WantedChunk>(
    wanted: W,
    deliver: (wanted: W, data: Uint8Array) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { servers, pool, depot } = this.#parts;
    const { depotId, chunk } = wanted;
    const { appId, key } = depot(depotId);
    const wish = {
      appId,
      depotId,
      what: `chunk ${chunk.id}`,
      bytes: { exactly: chunk.storedBytes },
      path: () => `/depot/${depotId}/chunk/${chunk.id}`,
      accept: (stored: Uint8Array) => pool.decode({ stored, key, id: chunk.id, bytes: chunk.bytes }),
    };
    const data = await servers.fetch(wish, signal);
    signal.throwIfAborted();
    await deliver(wanted, data);
    free(data);
  }
}

/** Lets so many in at a time, and so many bytes. One that is larger than everything goes alone. */
class MemoryBudget {
  #count = 0;
  #bytes = 0;
  #released = Promise.withResolvers<void>();

  /** Resolves to what gives the place back. Whoever waits has to wait alone: first come, first served needs no more here. */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    const abort = () => this.#wake();
    signal.addEventListener('abort', abort);
    try {
      while (!this.#fits(bytes)) {
        signal.throwIfAborted();
        await this.#released.promise;
      }
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', abort);
    }
    this.#count += 1;
    this.#bytes += bytes;
    return () => {
      this.#count -= 1;
      this.#bytes -= bytes;
      this.#wake();
    };
  }

  #fits(bytes: number): boolean {
    return this.#count === 0 || (this.#count < mostAtOnce && this.#bytes + bytes <= mostBytes);
  }

  #wake(): void {
    this.#released.resolve();
    this.#released = Promise.withResolvers<void>();
  }
}
