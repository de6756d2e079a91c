import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** A disk under load. */
const slowMs = 400;

// Loaded before the program: each sync takes its time, and so does each line at the end of a file.
const probe = await open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(probe) as Pick<FileHandle, 'sync' | 'appendFile'>;
await probe.close();
const { sync, appendFile } = prototype;
Object.assign(prototype, {
  async sync(this: FileHandle) {
    await pause(slowMs);
    await sync.call(this);
  },
  async appendFile(this: FileHandle, ...appended: Parameters<typeof appendFile>) {
    await pause(slowMs);
    await appendFile.apply(this, appended);
  },
});
