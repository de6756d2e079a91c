import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { LiveOperation } from './live-operation.ts';
import type { Operation } from './operation.ts';

const at = '2026-11-21T06:30:00.000Z';
const claimed: Operation = {
  id: '77',
  command: 'setTime',
  state: 'claimed',
  fingerprint: 'f',
  ...{ createdAt: at, changedAt: at },
};

/** Of a game that keeps no journal. */
function live() {
  const kept: Operation[] = [];
  const parts = { clock: new ManualClock(), keepsJournal: false };
  const keep = async (operation: Operation) => void kept.push(operation);
  return { kept, operation: new LiveOperation(claimed, undefined, { ...parts, keep }) };
}

const outcomes: readonly CommandOutcome[] = [
  { outcome: 'applied', before: {}, after: { timeOfDay: 900 } },
  { outcome: 'refused', code: 'failed', message: 'a festival is on' },
];

it.each(outcomes)(
  'says nothing of why nobody knew how it ended once it is known: $outcome',
  async (outcome) => {
    const { kept, operation } = live();
    await operation.unknown('it does not answer in time');
    expect(operation.now).toMatchObject({ why: 'it does not answer in time', forGood: true });
    expect(await operation.outcome(outcome)).toBe(true);
    const known = { ...claimed, state: outcome.outcome, outcome, changedAt: expect.any(String) };
    expect(operation.now).toEqual(known);
    expect(kept.at(-1)).toEqual(known);
  },
);

it('keeps why nobody knows as that comes to be so for good', async () => {
  const { operation } = live();
  await operation.become('unknown', { why: 'the connection ended' });
  expect(await operation.become('unknown', { forGood: true })).toBe(true);
  expect(operation.now).toMatchObject({ why: 'the connection ended', forGood: true });
});
