import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** A disk under load. */
const syncMs = 400;

// Loaded before the program: each sync takes its time.
const probe = await open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(probe) as Pick<FileHandle, 'sync'>;
await probe.close();
const { sync } = prototype;
Object.assign(prototype, {
  async sync(this: FileHandle) {
    await pause(syncMs);
    await sync.call(this);
  },
});
