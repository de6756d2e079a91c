import { ThreadArchivist } from '../../../src/backups/archive/thread-archivist.ts';

/** One for all tests of a process, which come one after the other: each would start a thread of its own. */
export const oneArchivist = new ThreadArchivist();
