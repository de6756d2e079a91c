import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { systemError } from '@steward/testing/system-error';

// Loaded before a command: after some writes that succeed, the disk refuses what is written to an open file.
const { DISK_SAYS: says = 'ENOSPC', DISK_WRITES = '0' } = process.env;

type ErrorName = keyof typeof constants.errno;

/** The environment in which a command meets such a disk. */
export function refusingDisk(says: ErrorName, writes = 0): NodeJS.ProcessEnv {
  const preload = fileURLToPath(import.meta.url);
  return { NODE_OPTIONS: `--import ${preload}`, DISK_SAYS: says, DISK_WRITES: String(writes) };
}

if (process.env['DISK_SAYS'] !== undefined) {
  const probe = await open(fileURLToPath(import.meta.url));
  const prototype = Object.getPrototypeOf(probe);
  await probe.close();
  const { writeFile } = prototype;
  let left = Number(DISK_WRITES);
  prototype.writeFile = function (...args: unknown[]): unknown {
    left -= 1;
    if (left >= 0) return Reflect.apply(writeFile, this, args);
    throw systemError(constants.errno[says as ErrorName]);
  };
}
