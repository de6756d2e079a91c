import type { DrainPhase } from '@steward/shared/drain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join } from './chaos/join.ts';
import { drainedFarm } from './stage/drained-farm.ts';

/** Of the phases that last for a moment alone, the line of the log is what tells of them. */
const says = (phase: DrainPhase) => new RegExp(`"msg":"drain: ${phase}"`);

async function playedFarm() {
  const farm = await drainedFarm();
  await farm.open();
  const { arrival, said } = await join(farm.orders, 'Sam', ['--ip']);
  if (arrival === undefined) throw new Error(said);
  await farm.areThere(['Sam']);
  return farm;
}

it('a drain that waits goes on when the service is killed: nobody comes in, and the game is stopped', async () => {
  await using farm = await playedFarm();
  const id = await farm.drain('when=empty&minutes=60&message=mods');
  await farm.isIn('waiting');
  await farm.stop('SIGKILL');
  await farm.start();
  // Nobody is left on a game that has ended with the service.
  expect(await farm.ended(id)).toMatchObject({ state: 'applied', after: { isSaved: true, isBack: false } });
  expect(await farm.ask('GET', '/drain')).toMatchObject({ draining: { phase: 'stopped', message: 'mods' } });
  expect(await farm.ask('GET', '/health/ready')).toMatchObject({
    obstacles: [
      { code: 'draining', remedy: 'Start the game again on the page, or with DELETE /drain' },
      { code: 'no-game' },
    ],
  });
  expect(await farm.ask('DELETE', '/drain')).toMatchObject({ success: true, wasStopped: true });
  await farm.open();
}, 120_000);

describe('on one farm, one after another', () => {
  let farm: Awaited<ReturnType<typeof drainedFarm>>;
  beforeAll(async () => {
    farm = await playedFarm();
  });
  afterAll(() => farm[Symbol.asyncDispose]());

  it.each(['counting', 'leaving', 'saving', 'stopping', 'starting', 'stopped'] as const)(
    'a drain that is killed while %s is over: the game is started, and players come in',
    async (phase) => {
      const earlier = await farm.lastDrain();
      const ending = phase === 'counting' ? 'seconds=600' : 'seconds=0';
      const killed = farm.api.line(says(phase)).then(() => farm.stop('SIGKILL'));
      // It may be killed before it has answered.
      await farm.drain(`when=now&restart=${phase !== 'stopped'}&${ending}`).catch(() => {});
      await killed;
      await farm.start();
      await farm.open();
      const { arrival, said } = await join(farm.orders, 'Leah', ['--ip']);
      expect(arrival, said).toBeDefined();
      // Whom the next drain finds on the farm.
      await farm.areThere(['Leah']);
      const drain = await farm.lastDrain();
      expect(drain?.operationId).not.toBe(earlier?.operationId);
      expect(['void', 'applied']).toContain(drain?.state);
    },
    120_000,
  );
});

it('a second SIGTERM ends it at once, however long players still have', async () => {
  await using farm = await drainedFarm({ STOP_DRAIN_SECONDS: '600' });
  await farm.open();
  const { arrival, said } = await join(farm.orders, 'Sam', ['--ip']);
  expect(arrival, said).toBeDefined();
  const { api } = farm;
  api.kill('SIGTERM');
  await api.line(says('counting'));
  expect(await farm.ask('DELETE', '/drain')).toMatchObject({ code: 'shutting-down' });
  // One Ctrl-C may come twice.
  const again = setInterval(() => api.kill('SIGTERM'), 400);
  const { code } = await api.exited;
  clearInterval(again);
  expect(code).toBe(1);
}, 120_000);
