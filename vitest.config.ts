import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './scripts/test/long-files-first.ts';

// Vitest hands these to Node as well, for require too: with `import` among them, CommonJS packages would get modules,
// and protobufjs, for one, would lose its 64-bit integers. Vite adds `import` by itself where it belongs.
const conditions = ['node', 'default'];

// Hundreds of processes and threads load the same sources: what Node has stripped and compiled once is read back.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

/**
 * Each in a process of its own: one replaces a module of Node's, one looks at how a library loads, and one measures what its thread
 * does, which must not be to clear away what other files have left.
 */
const apart = [
  'packages/platform-auth/test/renamed-case.test.ts',
  'packages/platform-auth/test/steam-user-loading.test.ts',
  'packages/control-api/test/backups/nobody-waits.test.ts',
];

const include = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'tools/*/*.test.ts',
  'benchmarks/src/**/*.test.ts',
  'test/**/*.test.ts',
];

const isLong = process.env['SCALE'] === 'long';

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['node', 'default'] } },
  test: {
    setupFiles: ['@steward/testing/setup'],
    reporters: [
      'default',
      // A terminal is shown it by the other.
      ...(process.stdout.isTTY ? [] : ['./scripts/test/progress-reporter.mjs']),
      './scripts/test/closing-line-reporter.mjs',
    ],
    sequence: { shuffle: true, sequencer: LongFilesFirst },
    // A test that looked at nothing proves nothing.
    // On a busy machine a second is no time at all: what does not come is said all the same.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    // Many tests wait for processes and sockets: two cores are idle for a tenth of the time with four workers, for a fortieth with five.
    maxWorkers: 5,
    // Longer than what a test waits for: on a busy machine that says what did not come. At the long counts a test takes its time.
    testTimeout: isLong ? 1_800_000 : 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      // One process runs file after file, and loads what they import once: half of the time of most of them.
      { extends: true, test: { name: 'together', include, exclude: apart, isolate: false } },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/shared/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary'],
      thresholds: { 100: true },
    },
  },
});
