import { connect } from 'node:net';
import { join } from 'node:path';
import { timeOfDay } from '@steward/shared/bridge/ranges';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openedStore } from '../store/opened-store.ts';

const callers = 4;

it('has what was answered, and that something had begun of whatever was done, killed at any moment', {
  timeout: 3_600_000,
}, async () => {
  using state = temporaryDirectory();
  const random = seededRandom(seed);
  const game = new ScriptedGame({ tickMs: 250 });
  const answered: string[] = [];
  // By the time that it asks for, a request is known again in the audit, where a line that was interrupted has no operation.
  let asked = 0;
  for (let killed = 0; killed < count({ small: 2, long: 60 }); killed += 1) {
    await using api = new Program('packages/control-api/src/main.ts', [], {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      STATE_DIR: state.path,
      SETTINGS_PATH: join(state.path, 'server-settings.json'),
      PLATFORM_AUTH_URL: '',
    });
    const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    await game.connect(overSocket(connect(join(state.path, 'game.sock'))));
    const last = answered.length + 1 + Math.floor(random() * 20);
    const asking = Array.from({ length: callers }, async () => {
      while (answered.length < last) {
        asked += 1;
        const value = timeOfDay.earliest + (asked % (timeOfDay.latest - timeOfDay.earliest));
        const url = `${origin}/time?value=${value}`;
        const answer = await fetch(url, { method: 'POST' }).catch(() => undefined);
        const body = (await answer?.json().catch(() => undefined)) as { operationId?: string } | undefined;
        if (body?.operationId === undefined) return;
        answered.push(body.operationId);
      }
      api.kill('SIGKILL');
    });
    await Promise.all(asking);
    await api.exited;
  }
  const { store } = openedStore(state.path);
  const lines = await store.audit().page({ after: 0, limit: 1_000_000, from: 'oldest', having: {} });
  await store.close();
  const told = lines.filter(({ outcome }) => outcome === 'applied').map(({ operation }) => operation);
  expect(new Set(told).size).toBe(told.length);
  expect(told).toEqual(expect.arrayContaining(answered));
  const interrupted = lines.filter(({ body }) => body.includes('"interrupted":true'));
  const begun = interrupted.map(({ body }) => JSON.parse(body).parameters.value);
  const done = [...game.journal]
    .filter(([id]) => !told.includes(id))
    .map(([, outcome]) => (outcome.outcome === 'applied' ? outcome.after['timeOfDay'] : undefined));
  expect(begun).toEqual(expect.arrayContaining(done));
});
