import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import type { Archivist, PackJob, UnpackTo } from './archivist.ts';
import { partOf } from './leftovers.ts';
import type { Manifest } from './manifest.ts';
import { ArchiveThread, type Job } from './thread.ts';

/** Who lists backups reads many, one after the other. */
const lingersMs = 1_000;

/** Each long job has a thread of its own, which ends with it; what lists share one, which ends soon after the last. */
export class ThreadArchivist implements Archivist {
  #reading: ArchiveThread | undefined;
  #ending: NodeJS.Timeout | undefined;

  async pack(
    job: PackJob,
    signal?: AbortSignal,
  ): Promise<{ readonly manifest: Manifest; readonly bytes: number }> {
    await makeDirectory(dirname(job.to), 0o700);
    const part = partOf(job.to);
    try {
      return (await inThread({ kind: 'pack', job, part }, signal)) as Awaited<ReturnType<Archivist['pack']>>;
    } finally {
      // Where it was made, there is none any more.
      await rm(part, { force: true });
    }
  }

  async manifestOf(path: string): Promise<Manifest> {
    clearTimeout(this.#ending);
    const thread = this.#reading ?? new ArchiveThread();
    this.#reading = thread;
    try {
      return (await thread.ask({ kind: 'manifest', path })) as Manifest;
    } finally {
      this.#endSoon(thread);
    }
  }

  async verify(path: string, signal?: AbortSignal): Promise<Manifest> {
    return (await inThread({ kind: 'verify', path }, signal)) as Manifest;
  }

  async unpack(path: string, to: UnpackTo, signal?: AbortSignal): Promise<Manifest> {
    return (await inThread({ kind: 'unpack', path, to }, signal)) as Manifest;
  }

  #endSoon(thread: ArchiveThread): void {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => {
      if (!thread.isIdle) return;
      this.#reading = undefined;
      void thread.end();
    }, lingersMs);
    this.#ending.unref();
  }
}

async function inThread(job: Job, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  const thread = new ArchiveThread();
  const stop = () => void thread.end(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await thread.ask(job);
  } finally {
    signal?.removeEventListener('abort', stop);
    await thread.end();
  }
}
