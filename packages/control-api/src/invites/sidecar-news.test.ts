import type { StewardEvent } from '@steward/shared/events/event-data';
import type { SessionStateName } from '@steward/shared/sidecar/health';
import { expect, it } from 'vitest';
import { SidecarNews } from './sidecar-news.ts';

function opened() {
  const told: StewardEvent[] = [];
  return { told, news: new SidecarNews((event) => told.push(event)) };
}

const since = '2026-11-22T19:00:00.000Z';

it.each<[heard: SessionStateName[], told: SessionStateName[]]>([
  [['logged-in', 'logged-in'], []],
  [['logging-in', 'logged-in', 'logged-in'], ['logged-in']],
  [
    ['retrying', 'logging-in', 'retrying', 'logging-in', 'retrying', 'logging-in', 'logged-in'],
    ['retrying', 'logged-in'],
  ],
  [
    ['logged-in', 'replaced', 'logging-in', 'replaced', 'logged-in'],
    ['replaced', 'logged-in'],
  ],
  [
    ['logged-in', 'logging-in', 'logged-in'],
    ['logging-in', 'logged-in'],
  ],
  [['no-account', 'no-account'], ['no-account']],
])('of a session that is heard as %j tells %j', (heard, expected) => {
  const { told, news } = opened();
  for (const state of heard) news.session({ state, reason: `it is ${state}`, remedy: 'Wait' });
  expect(told).toEqual(
    expected.map((state) => ({
      type: 'sidecar.session',
      data: { state, reason: `it is ${state}`, remedy: 'Wait' },
    })),
  );
});

it('tells that another program uses the account, and that it no longer does, of a session that is well', () => {
  const { told, news } = opened();
  const well = { state: 'logged-in', reason: 'Logged in' } as const;
  const contended = { reason: 'Another program uses it', remedy: 'Stop it' };
  news.session(well);
  for (const heard of [contended, contended, undefined, undefined]) news.session(well, heard);
  expect(told.map(({ data }) => data)).toEqual([{ state: 'logged-in', ...contended }, well]);
});

it('tells how the game’s files stand otherwise, and of another build once', () => {
  const { told, news } = opened();
  const available = { state: 'available', since, reason: 'Build 2 is there', remedy: 'Download it' } as const;
  const current = { state: 'current', since } as const;
  const unknown = { state: 'unknown', since, reason: 'The platform is away' } as const;
  news.files({ state: 'whole', update: current });
  expect(told).toEqual([]);
  for (const update of [unknown, available, unknown, available]) news.files({ state: 'whole', update });
  news.files({ state: 'downloading' });
  news.files({ state: 'missing', reason: 'The disk is full', remedy: 'Make room' });
  news.files({ state: 'downloading' });
  news.files({ state: 'whole', update: unknown });
  news.files({ state: 'whole', update: current });
  expect(told.map(({ data }) => data)).toEqual([
    { state: 'whole', isOutdated: true, reason: 'Build 2 is there', remedy: 'Download it' },
    { state: 'downloading' },
    { state: 'missing', reason: 'The disk is full', remedy: 'Make room' },
    { state: 'downloading' },
    { state: 'whole' },
  ]);
});

it('tells at once of files that are missing when it first hears of them', () => {
  const { told, news } = opened();
  news.files({ state: 'missing', reason: 'No account' });
  expect(told).toEqual([{ type: 'sidecar.download', data: { state: 'missing', reason: 'No account' } }]);
});
