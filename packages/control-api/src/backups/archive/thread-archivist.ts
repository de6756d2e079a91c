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

/** Who lists backups reads many, one after the other. */
const lingersMs = 1_000;

/** Each long job has a thread of its own, which ends with it; what lists share one, which ends soon after the last. */
export class ThreadArchivist implements Archivist {
  readonly #entry: URL;
  #reading: ArchiveThread | undefined;
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
    const left = this.#reading?.hasEnded === false ? this.#reading : undefined;
    const thread = left ?? new ArchiveThread(this.#entry);
    this.#reading = thread;
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
      if (this.#reading === thread) this.#reading = undefined;
      void thread.end();
    }, lingersMs);
    this.#ending.unref();
  }

  async #inThread(job: Job, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const thread = new ArchiveThread(this.#entry);
    const stop = () => void thread.end(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await thread.ask(job);
    } finally {
      signal?.removeEventListener('abort', stop);
      await thread.end();
    }
  }
}
