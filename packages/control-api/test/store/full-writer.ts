import { fillDatabases } from '@steward/testing/full-disk';

// The writing thread, on a disk that is full while a test says so.
fillDatabases();
await import('../../src/store/writing/writer-worker.ts');
