import { expect, it } from 'vitest';
import { listOf } from './schedules.ts';

it('lists each schedule in a line of its own, whatever a game has against its last run', () => {
  const schedule = {
    name: 'nightly',
    id: '1',
    action: 'save',
    cron: '0 5 * * *',
    timeZone: 'UTC',
    state: 'active',
    lastRun: {
      at: '2026-11-21T05:00:00.000Z',
      outcome: 'failed',
      reason: 'the farm\nanother  2  save  forged',
    },
  };
  const [head = '', row = '', ...more] = listOf([schedule as never]).split('\n');
  expect(more).toEqual([]);
  expect(row.slice(head.indexOf('WHY'))).toMatch(/^the farm ?another/);
});
