import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Under which name an archive is made: one that looks like none, and says which process makes it. */
export function partOf(archive: string): string {
  const random = randomBytes(3).toString('hex');
  return join(
    dirname(archive),
    `.${basename(archive)}.${here()}-${process.pid}-${startOf(process.pid)}-${random}.part`,
  );
}

const part = /^\..+\.(?<host>[0-9a-f]{8})-(?<pid>[0-9]+)-(?<start>[0-9]+)-[0-9a-f]{6}\.part$/;

/** No archive is written for so long without a byte of it. */
const quietMs = 60 * 60_000;

/**
 * Takes away what killed processes have left in a folder of archives, and says what that was. What a process that still runs is making
 * stays; of one on another machine, or in another container, that cannot be told, and it stays until it has been quiet for an hour.
 */
export async function removeLeftovers(folder: string, now: number): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    const { host, pid, start } = part.exec(name)?.groups ?? {};
    if (host === undefined) continue;
    const path = join(folder, name);
    const isOver =
      host === here()
        ? startOf(Number(pid)) !== start
        : await stat(path).then(
            ({ mtimeMs }) => mtimeMs < now - quietMs,
            () => false,
          );
    if (!isOver) continue;
    await rm(path, { force: true });
    removed.push(name);
  }
  return removed;
}

function here(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

const startField = 19;

/** When a process began, as its kernel counts, so that a later one of the same number is not taken for it; `undefined` for none. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[startField];
  } catch {
    return isThere(pid) ? '0' : undefined;
  }
}

/** Where there is no /proc. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
