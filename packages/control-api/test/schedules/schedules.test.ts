import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { settledMs } from '@steward/service-kit/settled-time';
import type { ScriptedGame } from '@steward/testing/game/scripted-game';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { scheduleTiming } from '../../src/schedules/due.ts';
import { openApi, type StageOptions, testKey } from '../api/stage/open-api.ts';
import { settled } from '../game/stage/stage.ts';

type Api = Awaited<ReturnType<typeof openApi>>;
type Listed = Readonly<Record<string, unknown>> & { readonly lastRun?: Readonly<Record<string, unknown>> };

const hourly = '/schedules?name=hourly&action=rendering&fps=5&cron=0+*+*+*+*';
const hourMs = 60 * 60 * 1_000;

async function listed(api: Api): Promise<readonly Listed[]> {
  return (await api.ask('GET', '/schedules')).exact['schedules'] as readonly Listed[];
}

async function emptySince(api: Api): Promise<unknown> {
  return (await api.ask('GET', '/status')).exact['emptySince'];
}

/** Until the one schedule has run so that this holds: what is written goes by a thread. */
async function ran(api: Api, holds: (schedule: Listed) => boolean): Promise<Listed> {
  for (;;) {
    const [schedule] = await listed(api);
    if (schedule !== undefined && holds(schedule)) return schedule;
    await settled();
  }
}

/** Until the clock has been looked at once more, with a game that ticks. */
async function lookPasses(api: Api, farm: ScriptedGame): Promise<void> {
  for (let passed = 0; passed < scheduleTiming.lookMs; passed += 1_000) {
    api.clock.advance(1_000);
    farm.tick();
    await settled();
  }
}

async function opened(options: StageOptions = {}) {
  const directory = temporaryDirectory();
  const open = () => openApi({ directory: directory.path, key: testKey, ...options });
  const api = await open();
  return {
    api,
    open,
    /** The wall clock alone goes on: a game that does not tick for so long would be given up. */
    passes(ms: number, on: Api = api) {
      on.clock.setWallClock(ms);
      on.watch();
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

describe('a schedule', () => {
  it('does what it does when it is due, as an operation, an event, a line of the audit and a measurement', async () => {
    await using stage = await opened();
    const { api } = stage;
    const made = await api.ask('POST', `${hourly}&timeZone=Europe/Berlin&missed=once`);
    expect(made.exact).toMatchObject({
      message: 'hourly: rendering is due next at 2026-11-21T01:00:00.000Z',
      schedule: {
        action: 'rendering',
        parameters: { fps: 5 },
        cron: '0 * * * *',
        timeZone: 'Europe/Berlin',
        missed: 'once',
        madeBy: 'owner',
        state: 'active',
      },
    });
    stage.passes(hourMs);
    const { lastRun, nextRun } = await ran(api, (each) => each.lastRun?.['outcome'] !== undefined);
    expect(lastRun).toMatchObject({ dueAt: '2026-11-21T01:00:00.000Z', outcome: 'applied' });
    expect(nextRun).toBe('2026-11-21T02:00:00.000Z');
    expect(api.farm.state.rendering.fps).toBe(5);
    const { operationId } = lastRun as { readonly operationId: string };
    expect((await api.ask('GET', `/operations/${operationId}`)).exact).toMatchObject({
      command: 'setRenderRate',
      state: 'applied',
    });
    const { exact: audit } = await api.ask('GET', '/audit?actor=schedule+hourly');
    expect(audit['lines']).toMatchObject([
      {
        action: 'runSchedule',
        door: 'schedule',
        outcome: 'applied',
        operationId,
        says: 'render rate set',
        parameters: { action: 'rendering', fps: 5 },
      },
    ]);
    const { exact: told } = await api.ask('GET', '/events?topics=schedules');
    expect(told['events']).toMatchObject([
      { type: 'schedules.ran', data: { scheduleName: 'hourly', action: 'rendering', operationId } },
    ]);
    const { body } = await api.ask('GET', '/metrics');
    expect(body).toContain('steward_schedule_runs_total{outcome="applied"} 1');
    expect(body).toContain('steward_schedule_failing{schedule="hourly"} 0');
    expect(body).toMatch(/steward_schedule_lag_seconds\{schedule="hourly"\} 0/);
    expect(body).toMatch(/steward_schedule_next_run_timestamp_seconds\{schedule="hourly"\} 1795226400/);
  });

  it('that fails says why, and is tried when it is due again', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', hourly);
    // One that was there is not waited for, as one that is yet to come after a start is.
    api.gameGoes();
    await settled();
    stage.passes(hourMs);
    const { lastRun, nextRun } = await ran(api, (each) => each.lastRun?.['outcome'] !== undefined);
    expect(lastRun).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('no game') });
    expect(nextRun).toBe('2026-11-21T02:00:00.000Z');
  });

  it('is run now, whenever it is due', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', '/schedules?name=noon&action=announce&message=lunch&cron=0+12+*+*+*');
    const { exact } = await api.ask('POST', '/schedules/run?name=NOON');
    expect(exact).toMatchObject({ message: 'noon has run', run: { outcome: 'applied' } });
    expect(exact['run']).not.toHaveProperty('dueAt');
    expect(api.farm.said).toMatchObject([{ message: 'lunch' }]);
    expect(exact['schedule']).toMatchObject({ nextRun: '2026-11-21T12:00:00.000Z' });
  });

  it('of a time zone that is not known here is left out, and keeps nobody from starting', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', `${hourly}&timeZone=Europe/Berlin`);
    await api.ask('POST', '/schedules?name=noon&action=save&cron=0+12+*+*+*');
    await api.stop();
    {
      using database = new DatabaseSync(join(api.directory, 'steward.db'));
      database.exec("UPDATE schedules SET time_zone = 'Nowhere/None' WHERE name = 'hourly'");
    }
    const log = new PassThrough();
    await using later = await openApi({ directory: api.directory, key: testKey, log });
    expect(await listed(later)).toMatchObject([{ name: 'noon' }]);
    expect(String(log.read())).toContain(
      'this Node does not know the time zone Nowhere/None: its schedule is left out',
    );
  });

  it('goes on after a restart, and does once what it missed where that is wanted', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', `${hourly}&missed=once`);
    await api.stop();
    await using later = await stage.open();
    stage.passes(5 * hourMs + 100_000, later);
    const { lastRun } = await ran(later, (each) => each.lastRun?.['outcome'] !== undefined);
    expect(lastRun).toMatchObject({ outcome: 'applied', at: '2026-11-21T05:01:40.000Z' });
  });

  it('waits after a restart for a game that is not started here, and dials in soon', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', `${hourly}&missed=once`);
    await api.stop();
    await using later = await openApi({ directory: api.directory, key: testKey, game: false });
    stage.passes(hourMs, later);
    expect((await listed(later))[0]).not.toHaveProperty('lastRun');
    const farm = await later.connect();
    await lookPasses(later, farm);
    const { lastRun } = await ran(later, (each) => each.lastRun?.['outcome'] !== undefined);
    expect(lastRun).toMatchObject({ outcome: 'applied' });
    expect(farm.state.rendering.fps).toBe(5);
  });

  it.each([
    ['has no farm loaded', {}],
    ['has not told everything', { fault: 'partial-state' }],
  ] as const)('waits after a restart for a game that is there and %s', async (_, options) => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', `${hourly}&missed=once`);
    await api.stop();
    await using later = await openApi({ directory: api.directory, key: testKey, game: false, ...options });
    stage.passes(hourMs, later);
    const farm = await later.connect();
    farm.tell({ farm: null });
    await lookPasses(later, farm);
    expect((await listed(later))[0]).not.toHaveProperty('lastRun');
    farm.tell();
    await lookPasses(later, farm);
    const { lastRun } = await ran(later, (each) => each.lastRun?.['outcome'] !== undefined);
    expect(lastRun).toMatchObject({ outcome: 'applied' });
  });

  it('does not begin while players are seen off before the service stops', async () => {
    await using stage = await opened();
    const { api } = stage;
    // Only a game that is started here ends with this service.
    Object.assign(api.mode, { hold: async () => {}, giveBack: () => {} });
    await api.ask('POST', '/schedules?name=often&action=rendering&fps=5&cron=*+*+*+*+*&missed=once');
    api.watch();
    void api.stop(600);
    await settled();
    expect((await api.ask('GET', '/drain')).exact).toMatchObject({ draining: { phase: 'counting' } });
    api.clock.advance(61_000);
    await settled();
    const [schedule] = await listed(api);
    api.clock.advance(600_000);
    expect(schedule).not.toHaveProperty('lastRun');
  });

  it('is deleted by its name or id, and is none then', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', hourly);
    expect((await api.ask('DELETE', '/schedules?name=Hourly')).statusCode).toBe(200);
    expect(await listed(api)).toEqual([]);
    expect((await api.ask('DELETE', '/schedules?name=hourly')).statusCode).toBe(404);
  });
});

describe('a schedule that sees players off', () => {
  const restarting = '/schedules?name=nightly&action=drain&when=now&seconds=60&restart=true&message=mods';
  const drain = async (api: Api) => (await api.ask('GET', '/drain')).exact['draining'];
  const inPhase = async (api: Api, phase: string) => {
    while (JSON.stringify(await drain(api))?.includes(`"${phase}"`) !== true) await settled();
  };
  const restarts = async (api: Api, comesBack: () => Promise<unknown> = () => api.connect()) => {
    await inPhase(api, 'stopping');
    api.gameGoes();
    await inPhase(api, 'starting');
    await comesBack();
  };
  const withNobody = (farm: ScriptedGame) => {
    const { state } = farm;
    state.players = [];
    state.status = { ...state.status, playerCount: 0 };
  };

  it('runs until the game is back, and tells what it did', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', `${restarting}&cron=0+*+*+*+*`);
    stage.passes(hourMs);
    await inPhase(api, 'counting');
    expect((await listed(api))[0]?.lastRun).not.toHaveProperty('outcome');
    // That it may be said is on the disk first.
    while (api.farm.said.length === 0) await settled();
    expect(api.farm.said.map(({ message }) => message)).toEqual([
      'The server restarts in 1 minute: please finish now (mods)',
    ]);
    for (let seconds = 0; seconds < 60; seconds += 1) {
      api.clock.advance(1_000);
      api.farm.tick();
      await settled();
    }
    await restarts(api);
    const { lastRun } = await ran(api, (each) => each.lastRun?.['outcome'] !== undefined);
    expect(lastRun).toMatchObject({ outcome: 'applied' });
    const { operationId } = lastRun as { readonly operationId: string };
    expect((await api.ask('GET', `/operations/${operationId}`)).exact).toMatchObject({
      command: 'drain',
      state: 'applied',
      after: { isSaved: true, isBack: true },
    });
  });

  it('fails where players are being seen off already, and says so', async () => {
    await using stage = await opened();
    const { api } = stage;
    const asking = api.ask('POST', '/drain?when=day-end');
    await inPhase(api, 'waiting');
    api.clock.advance(1_000);
    await asking;
    await api.ask('POST', `${restarting}&cron=0+12+*+*+*`);
    const { exact } = await api.ask('POST', '/schedules/run?name=nightly');
    expect(exact).toMatchObject({
      run: { outcome: 'failed', reason: expect.stringContaining('DELETE /drain cancels it') },
    });
  });

  it('fails where somebody calls it off', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', `${restarting}&cron=0+*+*+*+*`);
    stage.passes(hourMs);
    await inPhase(api, 'counting');
    await api.ask('DELETE', '/drain');
    const { lastRun } = await ran(api, (each) => each.lastRun?.['outcome'] !== undefined);
    expect(lastRun).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('it was cancelled') });
  });

  it('once nobody is there does so once, although the farm is as empty after it', async () => {
    await using stage = await opened();
    const { api } = stage;
    withNobody(api.farm);
    api.farm.tell();
    await settled();
    await api.ask('POST', `${restarting}&emptyMinutes=30`);
    stage.passes(hourMs / 2);
    await restarts(api, async () => {
      // Not in the moment in which it was done: since when nobody is there would be later, if it began anew.
      stage.passes(60_000);
      await api.connect(withNobody);
    });
    const { lastRun } = await ran(api, (each) => each.lastRun?.['outcome'] === 'applied');
    stage.passes(hourMs);
    // Whatever begins shows at once, as a run without an outcome.
    expect(await listed(api)).toMatchObject([{ lastRun }]);
    expect(await drain(api)).toBeUndefined();
    expect(await emptySince(api)).toBe('2026-11-21T00:00:00.000Z');
    await settled();
    const { exact } = await api.ask('GET', '/events?topics=schedules');
    expect(exact['events']).toHaveLength(1);
  });
});

describe('what cannot be a schedule is refused, with words', () => {
  it.each([
    ['cron=0+0+31+2+*&action=save', 'invalid-parameter', 'which never occurs'],
    ['cron=0+25+*+*+*&action=save', 'invalid-parameter', 'has the hour 25'],
    ['cron=0+5+*+*+*&action=save&timeZone=Europe/Atlantis', 'invalid-parameter', 'time zone'],
    ['cron=0+5+*+*+*&action=rendering', 'missing-parameter', 'needs fps'],
    ['cron=0+5+*+*+*&action=save&fps=5', 'unknown-parameter', 'The action save has no fps'],
    ['cron=0+5+*+*+*&action=drain', 'missing-parameter', 'needs when'],
    [`cron=0+5+*+*+*&action=drain&when=now&message=${'w'.repeat(201)}`, 'invalid-parameter', 'is too long'],
    ['cron=0+5+*+*+*&action=update', 'no-sidecar', 'PLATFORM_AUTH_URL is not set'],
    ['cron=0+5+*+*+*&action=update&restart=true', 'unknown-parameter', 'The action update has no restart'],
    ['cron=0+5+*+*+*&action=explode', 'invalid-parameter', 'action'],
    ['cron=0+5+*+*+*&emptyMinutes=5&action=save', 'conflicting-parameters', 'cron'],
    ['emptyMinutes=5&action=save&missed=once', 'invalid-parameter', 'missed needs cron'],
    ['action=save', 'conflicting-parameters', 'cron'],
  ])('%s', async (query, code, words) => {
    await using api = await openApi();
    const { exact } = await api.ask('POST', `/schedules?name=new&${query}`);
    expect(exact).toMatchObject({ code });
    expect(exact['detail']).toContain(words);
  });

  it('the 51st, and one of a name that another has', async () => {
    await using api = await openApi();
    for (let many = 0; many < 50; many += 1)
      expect((await api.ask('POST', `/schedules?name=s${many}&action=save&cron=0+5+*+*+*`)).statusCode).toBe(
        200,
      );
    const { exact: full } = await api.ask('POST', '/schedules?name=one+more&action=save&cron=0+5+*+*+*');
    expect(full).toMatchObject({ code: 'too-many-schedules' });
    const { exact: taken } = await api.ask('POST', '/schedules?name=S1&action=save&cron=0+5+*+*+*');
    expect(taken).toMatchObject({ code: 'schedule-name-taken' });
  });
});

describe('a schedule acts with the right of who made it', () => {
  const leftKeys = [{ name: 'operator', scopes: ['operate'] }] as const;
  const whole = '/schedules?name=whole&action=backup&all=true&cron=0+5+*+*+*';

  it('so that nobody has done by one what they may not do, nor runs or deletes one of it', async () => {
    await using stage = await opened({ leftKeys });
    const { api } = stage;
    const key = api.secretOf('operator');
    expect((await api.ask('POST', whole, { key })).exact).toMatchObject({ code: 'insufficient-scope' });
    expect((await api.ask('POST', whole)).statusCode).toBe(200);
    for (const [method, path] of [
      ['POST', '/schedules/run'],
      ['DELETE', '/schedules'],
    ] as const)
      expect((await api.ask(method, `${path}?name=whole`, { key })).exact).toMatchObject({
        code: 'insufficient-scope',
      });
  });

  it('and does nothing any more once the key that made it is revoked', async () => {
    await using stage = await opened({ leftKeys });
    const { api } = stage;
    await api.ask('POST', hourly, { key: api.secretOf('operator') });
    await api.ask('DELETE', '/keys?name=operator');
    expect(await listed(api)).toMatchObject([
      { state: 'off', reason: expect.stringContaining('"operator" is revoked'), madeBy: 'operator' },
    ]);
    expect((await api.ask('POST', '/schedules/run?name=hourly')).exact).toMatchObject({
      code: 'schedule-off',
    });
    stage.passes(hourMs);
    await settled();
    const { exact } = await api.ask('GET', '/events?topics=schedules');
    // Whoever may read events does not hear which key it was, nor how it ended.
    expect(exact['events']).toMatchObject([
      { type: 'schedules.switchedOff', data: { reason: 'the key that created it has ended' } },
    ]);
    expect(api.farm.state.rendering.fps).not.toBe(5);
  });
});

it('where nothing can be kept, it is unknown what schedules there are', async () => {
  using directory = temporaryDirectory();
  const newer = new DatabaseSync(join(directory.path, 'steward.db'));
  newer.exec('create table later (x); pragma user_version=1000');
  newer.close();
  await using api = await openApi({ directory: directory.path });
  for (const [method, path] of [
    ['GET', '/schedules'],
    ['POST', hourly],
    ['POST', '/schedules/run?name=hourly'],
    ['DELETE', '/schedules?name=hourly'],
  ] as const)
    expect((await api.ask(method, path)).exact).toMatchObject({ code: 'state-unreadable', status: 503 });
});

describe('since when nobody is online', () => {
  const people = async (api: Api, playerCount: number) => {
    const { state } = api.farm;
    state.status = { ...state.status, playerCount };
    api.farm.tell({ status: state.status });
    await settled();
  };

  it('is told while that is so, and starts what waits for it once', async () => {
    await using stage = await opened();
    const { api } = stage;
    await people(api, 2);
    expect(await emptySince(api)).toBeUndefined();
    await api.ask('POST', '/schedules?name=tidy&action=rendering&fps=5&emptyMinutes=30');
    await people(api, 0);
    expect(await emptySince(api)).toBe('2026-11-21T00:00:00.000Z');
    expect(await listed(api)).toMatchObject([{ nextRun: '2026-11-21T00:30:00.000Z' }]);
    stage.passes(hourMs / 2);
    await ran(api, (each) => each.lastRun?.['outcome'] === 'applied');
    expect((await listed(api))[0]).not.toHaveProperty('nextRun');
    expect((await api.ask('GET', '/metrics')).body).toContain('steward_farm_empty_seconds 1800');
  });

  it('is right again, and starts what waits for it, once a clock is that was years behind as the service started', async () => {
    await using stage = await opened();
    const { api } = stage;
    await api.ask('POST', '/schedules?name=tidy&action=rendering&fps=5&emptyMinutes=30');
    await people(api, 0);
    stage.passes(hourMs / 2);
    await ran(api, (each) => each.lastRun?.['outcome'] === 'applied');
    await people(api, 1);
    await api.stop();
    await using later = await openApi({ directory: api.directory, key: testKey, game: false });
    const yearsMs = 10 * 365 * 24 * hourMs;
    later.clock.setWallClock(-yearsMs);
    const farm = await later.connect(({ state }) => {
      state.status = { ...state.status, playerCount: 0 };
    });
    await expect.poll(() => emptySince(later)).toBe(later.clock.date().toISOString());
    later.clock.setWallClock(yearsMs + hourMs);
    // Whoever asks sees that it was set.
    await emptySince(later);
    later.clock.advance(settledMs);
    farm.tick();
    await expect.poll(() => later.bridge.state.link.status).toBe('live');
    expect(await emptySince(later)).toBe('2026-11-21T01:00:00.000Z');
    stage.passes(hourMs / 2, later);
    const dueAt = '2026-11-21T01:30:00.000Z';
    await ran(later, ({ lastRun }) => lastRun?.['dueAt'] === dueAt && lastRun?.['outcome'] === 'applied');
    expect(farm.state.rendering.fps).toBe(5);
  });
});
