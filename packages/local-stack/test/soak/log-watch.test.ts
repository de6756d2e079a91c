import { PassThrough } from 'node:stream';
import { createLogger, type Logger } from '@steward/service-kit/log/logger';
import { expect, it } from 'vitest';
import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Ward } from '../chaos/ward.ts';
import { LogWatch } from './log-watch.ts';

/** What is found in the log of a service that writes this. */
function watched(write: (log: Logger) => void): LogWatch {
  const stream = new PassThrough();
  write(createLogger('control-api', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, stream));
  const lines = String(stream.read()).trimEnd().split('\n');
  const api = { name: 'api', drain: () => lines } as unknown as Ward;
  const logs = new LogWatch({ sidecar: {}, api, farm: {}, platform: {} } as unknown as ChaosWorld, []);
  logs.look();
  return logs;
}

it.each([
  ['an error', new Error('it failed')],
  ['an error whose code is a number', AbortSignal.abort().reason],
  ['a text', 'it failed'],
  ['nothing', undefined],
])('an error in a log is named, whatever was thrown: %s', (_what, err) => {
  const { violations } = watched((log) => log.error({ err }, 'a request failed'));
  expect(violations).toEqual([expect.stringMatching(/^api: \{"level":50,/)]);
});

it('an error without words is named', () => {
  expect(watched((log) => log.fatal({ err: 'it failed' })).violations).toHaveLength(1);
});

it('what a full disk makes a service say is expected, and what is no error is passed over', () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const logs = watched((log) => {
    log.error({ err: full }, 'the ownership map cannot be kept up to date');
    log.warn({ err: new Error('late') }, 'it is tried again');
  });
  expect([logs.lines, logs.violations, logs.expected.size]).toEqual([2, [], 1]);
});
