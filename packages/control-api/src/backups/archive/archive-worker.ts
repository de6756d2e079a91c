import { parentPort } from 'node:worker_threads';
import { ArchiveError } from './archivist.ts';
import { pack } from './pack.ts';
import { readArchive, readManifest } from './read.ts';
import type { Asked, Given, Job } from './thread.ts';
import { unpack } from './unpack.ts';

// The thread in which archives are made and read. It reads and writes files by itself, and gives zlib one thing to compress and one to
// decompress at a time: of the four threads that Node has for files, names and ciphers, which are the service's too, it takes two.

parentPort?.on('message', async ({ id, job }: Asked) => {
  parentPort?.postMessage({ id, ...(await done(job)) } satisfies Given);
});

async function done(job: Job): Promise<Omit<Given, 'id'>> {
  try {
    return { result: await carriedOut(job) };
  } catch (error) {
    if (!(error instanceof ArchiveError)) return { failure: { error } };
    // What comes over from another thread is of no class of ours.
    const { kind, message, cause } = error;
    return { failure: { kind, message, error: cause } };
  }
}

function carriedOut(job: Job): unknown {
  switch (job.kind) {
    case 'pack':
      return pack(job.job, job.part);
    case 'manifest':
      return readManifest(job.path);
    case 'verify':
      return readArchive(job.path);
    case 'unpack':
      return unpack(job.path, job.to);
  }
}
