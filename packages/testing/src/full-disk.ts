import { type FileHandle, open } from 'node:fs/promises';

const probe = await open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(probe) as Pick<FileHandle, 'appendFile' | 'write' | 'writeFile'>;
await probe.close();
const { appendFile, write, writeFile } = prototype;

/** Whatever this process writes to a file fails as it does on a full disk. */
export function fillDisk(full: boolean): void {
  if (full) Object.assign(prototype, { appendFile: noSpace, write: noSpace, writeFile: noSpace });
  else Object.assign(prototype, { appendFile, write, writeFile });
}

async function noSpace(): Promise<never> {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
}
