import { type BackoffSettings, systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { createLogger } from '@steward/service-kit/log/logger';
import { Changes } from '@steward/testing/changes';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { variables } from '../../src/configuration.ts';
import { processStarter } from '../../src/game/modes/game-process.ts';
import { restartBackoff, SpawnMode } from '../../src/game/modes/spawn-mode.ts';
import { composeService } from '../../src/service.ts';
import { gameCommand, stateThat } from './stage/process-stage.ts';
import { quiet } from './stage/stage.ts';

const atOnce: BackoffSettings = { firstMs: 1, factor: 1, longestMs: 1, steadyMs: 60_000 };

/** Kills the game as soon as it is up, again and again, while the API is asked without a pause. */
async function killAgainAndAgain(times: number, backoff: BackoffSettings): Promise<{ slowestMs: number }> {
  using directory = temporaryDirectory();
  const mode = new SpawnMode({
    command: gameCommand(directory.path),
    stopMs: 5_000,
    backoff,
    random: Math.random,
    startProcess: processStarter(process.env),
    clock: systemClock,
    retryClock: systemClock,
    log: quiet,
  });
  const service = await composeService({
    configuration: readConfiguration(variables, {
      STATE_DIR: directory.path,
      SETTINGS_PATH: `${directory.path}/server-settings.json`,
      PLATFORM_AUTH_URL: '',
    }),
    version: '0.1.0',
    logger: createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
    clock: systemClock,
    retryClock: systemClock,
    random: Math.random,
    bridge: { mode },
  });
  const { app, bridge } = service;
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  await service.start();
  const reading = new AbortController();
  const reads = readOnAndOn(`${origin}/health`, reading.signal);
  const killed = new Set<number>();
  for (let time = 0; time < times; time += 1) {
    await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
    const { pid } = mode;
    if (pid === undefined) throw new Error('a live game has no process');
    killed.add(pid);
    await reads.tell((status) => status === 'live');
    process.kill(pid, 'SIGKILL');
    const { link } = await stateThat(bridge, (state) => state.link.status === 'restarting');
    expect(link.since.getTime()).toBeGreaterThan(0);
    // Whatever would wait for the next game would never tell that there is none.
    await reads.tell((status) => status !== 'live');
  }
  await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
  reading.abort();
  const slowestMs = await reads.end;
  expect(killed.size).toBe(times);
  await service.stop();
  expect(bridge.state.link.status).toBe('stopped');
  return { slowestMs };
}

/** Reads without a pause; `tell` waits until the last answer says this of the game. */
function readOnAndOn(url: string, signal: AbortSignal) {
  const told = new Changes();
  let status = '';
  const read = async (): Promise<number> => {
    let slowestMs = 0;
    while (!signal.aborted) {
      const began = performance.now();
      const answer = await fetch(url);
      const { game } = (await answer.json()) as { game: { status: string } };
      expect(answer.status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      status = game.status;
      told.told();
    }
    return slowestMs;
  };
  const tell = (isSo: (status: string) => boolean) =>
    told.until(() => isSo(status) || undefined, { missing: () => `/health goes on saying ${status}` });
  return { tell, end: read() };
}

it('answers reads throughout while its game is killed again and again', async ({ annotate }) => {
  const times = count({ small: 4, long: 100 });
  const { slowestMs } = await killAgainAndAgain(times, atOnce);
  await annotate(`${times} kills, the slowest read took ${Math.round(slowestMs)} ms`);
}, 120_000);

it('does so with the default backoff', async () => {
  await killAgainAndAgain(count({ small: 1, long: 5 }), restartBackoff);
}, 180_000);
