import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { entryUrl } from '../../entries.ts';
import type { Archivist, PackJob, UnpackTo } from './archivist.ts';
import { partOf } from './leftovers.ts';
import type { Manifest } from './manifest.ts';
import { ArchiveThread, type Job } from './thread.ts';

type Packed = Awaited<ReturnType<Archivist['pack']>>;

/** Listing reads many archives in a row, and a restore is three jobs; starting a thread takes longer than most of them. */
const lingersMs = 1_000;

/** Each long job has a thread to itself; what lists share one. One of them at the most is there a little longer, for what comes next. */
export class ThreadArchivist implements Archivist {
  readonly #entry: URL;
  #lingering: ArchiveThread | undefined;
  #ending: NodeJS.Timeout | undefined;

  constructor(entry = entryUrl('archivist')) {
    this.#entry = entry;
  }

  async pack(job: PackJob, signal?: AbortSignal): Promise<Packed> {
    await makeDirectory(dirname(job.to), 0o700);
    const part = partOf(job.to);
    const wasThere = existsSync(job.to);
    try {
      return (await this.#inThread({ kind: 'pack', job, part }, signal)) as Packed;
    } catch (error) {
      // It may just have got its name when nobody wanted it any more.
      if (!wasThere) await rm(job.to, { force: true });
      throw error;
    } finally {
      // Where it was made, there is none any more.
      await rm(part, { force: true });
    }
  }

  async manifestOf(path: string): Promise<Manifest> {
    clearTimeout(this.#ending);
    const left = this.#lingering?.hasEnded === false ? this.#lingering : undefined;
    const thread = left ?? new ArchiveThread(this.#entry);
    this.#lingering = thread;
    try {
      return (await thread.ask({ kind: 'manifest', path })) as Manifest;
    } finally {
      this.#endSoon(thread);
    }
  }

  async verify(path: string, signal?: AbortSignal): Promise<Manifest> {
    return (await this.#inThread({ kind: 'verify', path }, signal)) as Manifest;
  }

  async unpack(path: string, to: UnpackTo, signal?: AbortSignal): Promise<Manifest> {
    return (await this.#inThread({ kind: 'unpack', path, to }, signal)) as Manifest;
  }

  #endSoon(thread: ArchiveThread): void {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => {
      if (!thread.isIdle) return;
      if (this.#lingering === thread) this.#lingering = undefined;
      void thread.end();
    }, lingersMs);
    this.#ending.unref();
  }

  /** The one that lingers, if it has nothing to do; who lists meanwhile gets another. */
  #takeLingering(): ArchiveThread | undefined {
    const left = this.#lingering;
    if (left === undefined || left.hasEnded || !left.isIdle) return undefined;
    clearTimeout(this.#ending);
    this.#lingering = undefined;
    return left;
  }

  async #inThread(job: Job, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const thread = this.#takeLingering() ?? new ArchiveThread(this.#entry);
    const stop = () => void thread.end(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    let isDone = false;
    try {
      const result = await thread.ask(job);
      isDone = true;
      return result;
    } finally {
      signal?.removeEventListener('abort', stop);
      // One that failed may have something open.
      if (isDone && this.#lingering === undefined) {
        this.#lingering = thread;
        this.#endSoon(thread);
      } else await thread.end();
    }
  }
}
