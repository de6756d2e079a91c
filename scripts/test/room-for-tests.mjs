import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps it in memory. Docker gives it 64 MB. */
const inMemory = '/dev/shm';

/** More than a whole run has been seen to need there at once. */
const roomBytes = 3e9;

/** What must stay for the programs under test. */
const memoryBytes = 6e9;

/**
 * The directory for everything that a run writes. In memory where there is room: the tests open thousands of databases, and a disk
 * that each of them waits for is a quarter of the time of some. The name is short, as sockets' paths must be.
 */
export function roomForTests() {
  return mkdtempSync(join(memoryHasRoom() ? inMemory : tmpdir(), 'st-'));
}

function memoryHasRoom() {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomBytes && process.availableMemory() >= roomBytes + memoryBytes;
  } catch {
    return false;
  }
}
