import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  commandIn,
  environmentOf,
  meadow,
  type Places,
  placesIn,
  restoreStage,
} from './stage/restore-stage.ts';
import { plant, treeOf } from './stage/trees.ts';

const random = seededRandom(seed);
const directory = temporaryDirectory();
afterAll(() => directory[Symbol.dispose]());

const template = placesIn(join(directory.path, 'template'));
const ownSave = `${meadow}/${meadow}`;
let backupId = '';
let then: ReturnType<typeof standing>;
let now: ReturnType<typeof standing>;

/** Everything that a restore replaces, but for what the game saves when it is stopped, of which the time of its day is enough. */
function standing({ saves, state, settings }: Places) {
  const game = JSON.parse(readFileSync(join(saves, ownSave), 'utf8')) as {
    state: { status: { timeOfDay: number } };
  };
  return {
    saves: treeOf(saves, [ownSave, meadow]),
    owners: treeOf(join(state, 'farms'), [meadow, `${meadow}/farmhand-ownership.json`]),
    settings: readFileSync(settings, 'utf8'),
    timeOfDay: game.state.status.timeOfDay,
  };
}

function day(text: string, files: number) {
  const of = (name: string, index: number) => [
    name,
    {
      text: `${text} ${index}\n`.repeat(20 + index * 400),
      mode: index % 3 === 0 ? 0o600 : 0o644,
      modifiedAt: 1_700_000_000 + index,
    },
  ];
  return Object.fromEntries(
    Array.from({ length: files }, (_, index) => of(`${meadow}/part-${index}`, index)),
  );
}

beforeAll(async () => {
  await using stage = await restoreStage({ at: template.root, spawns: true });
  const { saves, state, settings } = template;
  const { bridge } = stage.service;
  const settingsOf = (seats: number) =>
    readFileSync(settings, 'utf8').replace(/"MaxPlayers": \d+/, `"MaxPlayers": ${seats}`);
  await stage.live();
  for (const [text, time, files, seats] of [
    ['then', 900, 40, 5],
    ['now', 1500, 30, 7],
  ] as const) {
    await bridge.run({ name: 'setTime', params: { value: time } });
    await bridge.run({ name: 'save', params: {} });
    plant(saves, {
      ...day(text, files),
      [`${meadow}/SaveGameInfo`]: text,
      'Other_2/Other_2': `another farm, ${text}`,
    });
    plant(join(state, 'farms'), { 'Other_2/farmhand-ownership.json': `{"of":"${text}"}` });
    plant(dirname(settings), { 'server-settings.json': settingsOf(seats) });
    if (text === 'then') backupId = await stage.backup('?keep=true');
    if (text === 'then') then = standing(template);
  }
  now = standing(template);
  expect(now).not.toEqual(then);
}, 60_000);

/** A process on a copy of what there was before. */
function copied(index: number): Places {
  const root = join(directory.path, `run-${index}`);
  execFileSync('cp', ['-a', template.root, root]);
  return placesIn(root);
}

function started(places: Places, more: Record<string, string> = {}): Program {
  return new Program('packages/control-api/src/main.ts', [], {
    ...environmentOf(places),
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify(commandIn(places)),
    ...more,
  });
}

async function originOf(api: Program): Promise<string> {
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  return origin;
}

function restored(origin: string): Promise<Response> {
  return fetch(`${origin}/backups/restore?id=${backupId}&what=saves,owners,settings`, { method: 'POST' });
}

async function swapBegins({ state }: Places): Promise<void> {
  const record = join(state, 'restore.json');
  for await (const _ of watch(state))
    if (existsSync(record) && readFileSync(record, 'utf8').includes('"phase":"swapping"')) return;
}

/** The last that everybody is told of backups, and with what. */
async function lastSaid(origin: string): Promise<string[] | undefined> {
  const { events } = (await (await fetch(`${origin}/events?topics=backups`)).json()) as { events: Told[] };
  return events.map(({ type, data: { step, reason = '' } }) => [type, step ?? reason]).at(-1);
}

interface Told {
  readonly type: string;
  readonly data: { readonly step?: string; readonly reason?: string };
}

interface Listed {
  readonly command: string;
  readonly state: string;
  readonly why?: string;
}

/** How it stands after a start that nobody cuts off, and what the operation says of it. */
async function settledIn(places: Places) {
  await using api = started(places);
  const origin = await originOf(api);
  await api.line(/is connected/);
  const { operations } = (await (await fetch(`${origin}/operations`)).json()) as { operations: Listed[] };
  const stages = [places.saves, join(places.state, 'farms'), dirname(places.settings)];
  expect(stages.filter((place) => existsSync(join(place, '.steward-restore')))).toEqual([]);
  return {
    stands: standing(places),
    operation: operations.find(({ command }) => command === 'restoreBackup'),
  };
}

it(
  'a restore that is killed at any moment, and its recovery too, ends in the old state or the new one, and says which',
  async ({ annotate }) => {
    const whole = copied(-1);
    let wholeMs: number;
    let bootMs: number;
    {
      const booted = performance.now();
      await using api = started(whole);
      const origin = await originOf(api);
      bootMs = performance.now() - booted;
      await api.line(/is connected/);
      const begun = performance.now();
      expect((await restored(origin)).status).toBe(200);
      wholeMs = performance.now() - begun;
      expect(standing(whole)).toEqual(then);
    }
    const ends: Record<string, number> = {};
    for (let index = 0; index < count({ small: 2, long: 200 }); index += 1) {
      const places = copied(index);
      {
        await using api = started(places);
        const origin = await originOf(api);
        await api.line(/is connected/);
        const asked = restored(origin).catch(() => undefined);
        // Half of them where it counts: the swap itself takes some milliseconds of it.
        if (index % 2 === 0) await Promise.race([asked, swapBegins(places)]);
        await pause(random() * (index % 2 === 0 ? 25 : wholeMs * 1.1));
        api.kill('SIGKILL');
        await Promise.all([api.exited, asked]);
      }
      // At least once, how few there may be.
      for (let again = index === 0 ? 0 : random(); again < 0.5; again = random()) {
        await using api = started(places);
        await pause(bootMs * (0.4 + 0.8 * random()));
        api.kill('SIGKILL');
        await api.exited;
      }
      const { stands, operation } = await settledIn(places);
      const says = operation?.state ?? 'nothing';
      const which = JSON.stringify(stands) === JSON.stringify(then) ? 'new' : 'old';
      ends[`${which}, ${says}`] = (ends[`${which}, ${says}`] ?? 0) + 1;
      expect(stands, `${says}: ${operation?.why}`).toEqual(which === 'new' ? then : now);
      expect(which === 'new' ? ['applied'] : ['void', 'nothing']).toContain(says);
      execFileSync('rm', ['-rf', places.root]);
    }
    await annotate(JSON.stringify({ ...ends, wholeMs: Math.round(wholeMs) }));
  },
  count({ small: 180_000, long: 3_600_000 }),
);

it('tells of the end of a restore that was killed before anything of it was noted', async () => {
  const places = copied(2_000);
  // It does not stop when it is asked to, so that the restore waits.
  const game = ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000)"];
  {
    await using api = started(places, { GAME_COMMAND: JSON.stringify([process.execPath, ...game]) });
    const origin = await originOf(api);
    const [, pid] = await api.line(/"gamePid":(\d+),"msg":"the game was started"/);
    const asked = restored(origin).catch(() => undefined);
    await expect
      .poll(() => lastSaid(origin), { timeout: 30_000 })
      .toEqual(['backups.restoring', 'stopping-game']);
    api.kill('SIGKILL');
    await Promise.all([api.exited, asked]);
    // It would outlive the tests, too.
    process.kill(Number(pid), 'SIGKILL');
  }
  await using api = started(places);
  const origin = await originOf(api);
  expect(await lastSaid(origin)).toEqual([
    'backups.restoreFailed',
    'this service was stopped before anything was changed',
  ]);
}, 60_000);

/** Killed with everything in place, before that could be said: its game reads what it is told, and never answers. */
async function killedAfterSwap(places: Places): Promise<void> {
  const game = [process.execPath, '-e', 'process.stdin.resume()'];
  await using api = started(places, { GAME_COMMAND: JSON.stringify(game) });
  const origin = await originOf(api);
  await api.line(/the game was started/);
  const asked = restored(origin).catch(() => undefined);
  await expect
    .poll(() => lastSaid(origin), { timeout: 30_000 })
    .toEqual(['backups.restoring', 'starting-game']);
  api.kill('SIGKILL');
  await Promise.all([api.exited, asked]);
}

/** What a service that is started now says of each restore, the newest first, and last of backups. */
async function toldIn(places: Places) {
  await using api = started(places);
  const origin = await originOf(api);
  const { operations } = (await (await fetch(`${origin}/operations`)).json()) as { operations: Listed[] };
  const restores = operations.filter(({ command }) => command === 'restoreBackup');
  return { restores, last: (await lastSaid(origin))?.[0] };
}

const noRecord = {
  state: 'unknown',
  why: expect.stringMatching(/restore\.json no longer says how that ended/),
};

it('says of no restore that it changed nothing where its record cannot be read', async () => {
  const places = copied(3_000);
  await killedAfterSwap(places);
  const record = join(places.state, 'restore.json');
  const readable = readFileSync(record);
  writeFileSync(record, 'not a record');
  const unread = await toldIn(places);
  expect(unread.restores).toMatchObject([{ state: 'unknown' }]);
  expect(unread.last).not.toBe('backups.restoreFailed');
  // It says what became of it once it can be read again.
  writeFileSync(record, readable);
  expect(await toldIn(places)).toMatchObject({ restores: [{ state: 'applied' }], last: 'backups.restored' });
}, 120_000);

it('says of no restore that it changed nothing where a command has restored a backup since', async () => {
  const places = copied(4_000);
  await killedAfterSwap(places);
  const command = ['backup', 'restore', '--id', backupId];
  const env = { ...environmentOf(places), API_HOST: '127.0.0.1', API_PORT: '0' };
  await using other = new Program('packages/control-api/src/main.ts', command, env);
  expect(await other.exited).toEqual({ code: 0, signal: null });
  expect(await toldIn(places)).toMatchObject({
    restores: [{ state: 'applied' }, noRecord],
    last: 'backups.restored',
  });
}, 120_000);

it(
  'a service that is told to stop in the middle gives up before the swap, or ends it, and leaves cleanly',
  async () => {
    for (let index = 0; index < count({ small: 2, long: 40 }); index += 1) {
      const places = copied(1_000 + index);
      {
        await using api = started(places);
        const origin = await originOf(api);
        await api.line(/is connected/);
        const asked = restored(origin).catch(() => undefined);
        if (index % 2 === 0) await Promise.race([asked, swapBegins(places)]);
        await pause(random() * (index % 2 === 0 ? 25 : 700));
        api.kill('SIGTERM');
        expect(await api.exited).toEqual({ code: 0, signal: null });
        await asked;
      }
      const { stands, operation } = await settledIn(places);
      const isNew = JSON.stringify(stands) === JSON.stringify(then);
      expect(stands).toEqual(isNew ? then : now);
      // What nobody was told of is as if it had never been asked for.
      expect(isNew ? ['applied'] : ['void', undefined]).toContain(operation?.state);
      execFileSync('rm', ['-rf', places.root]);
    }
  },
  count({ small: 180_000, long: 1_200_000 }),
);
