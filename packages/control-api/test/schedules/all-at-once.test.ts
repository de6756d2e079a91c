import { scheduleLimits } from '@steward/shared/api/schedule-parameters';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { settled } from '../game/stage/stage.ts';

const hourMs = 60 * 60 * 1_000;
const dueAt = '2026-11-21T01:00:00.000Z';

interface Listed {
  readonly name: string;
  readonly action: string;
  readonly lastRun: { readonly outcome?: string; readonly dueAt?: string; readonly reason?: string };
}

/** As many as there may be, all of them due at the next full hour. */
const left = Array.from({ length: scheduleLimits.schedules }, (_, index) => ({
  id: `sch_${index.toString(16).padStart(12, '0')}`,
  name: `nightly ${index}`,
  ...(index % 2 === 0
    ? { action: 'announce' as const, parameters: { message: `line ${index}` } }
    : { action: 'backup' as const, parameters: {} }),
}));

it('as many schedules as there may be, due in the same minute, run once each, and keep nobody waiting', async () => {
  await using api = await openApi({
    key: testKey,
    leftSchedules: left,
    leftBackups: [],
    leftKeys: [{ name: 'guest', scopes: ['read'] }],
  });
  api.clock.setWallClock(hourMs);
  api.watch();
  // Time stands still: whatever waited for the next tick would wait for ever.
  expect((await api.ask('DELETE', '/keys?name=guest')).statusCode).toBe(200);
  let all: readonly Listed[];
  do {
    await settled();
    expect((await api.ask('GET', '/status')).statusCode).toBe(200);
    all = (await api.ask('GET', '/schedules')).exact['schedules'] as readonly Listed[];
  } while (all.some(({ lastRun }) => lastRun.dueAt !== dueAt || lastRun.outcome === undefined));

  const announcing = left.filter(({ action }) => action === 'announce');
  expect(api.farm.said.map(({ message }) => message).toSorted()).toEqual(
    announcing.map(({ parameters }) => parameters.message).toSorted(),
  );
  // One backup at a time is enough, and who comes meanwhile says so.
  const { backups } = (await api.ask('GET', '/backups')).exact as { backups: unknown[] };
  const notApplied = all.filter(({ lastRun }) => lastRun.outcome !== 'applied');
  expect(backups.length).toBeGreaterThan(0);
  expect(notApplied).toHaveLength(left.length - announcing.length - backups.length);
  for (const { action, lastRun } of notApplied)
    expect([action, lastRun.outcome, lastRun.reason]).toEqual([
      'backup',
      'failed',
      'Nothing was done, because a backup is being made: try again later',
    ]);
  const { lines } = (await api.ask('GET', '/audit?action=runSchedule&limit=1000')).exact as {
    lines: { actor: string }[];
  };
  expect(lines.map(({ actor }) => actor).toSorted()).toEqual(
    left.map(({ name }) => `schedule ${name}`).toSorted(),
  );
});
