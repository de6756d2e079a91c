import type { DownloadAnswer, GameBuild } from '@steward/shared/sidecar/download';
import type { SessionStatus, SidecarHealth } from '@steward/shared/sidecar/health';
import { expect, it } from 'vitest';
import { isConnected } from '../../src/game/state/bridge-state.ts';
import type { SidecarAnswer } from '../../src/sidecar/sidecar-request.ts';
import { GameUpdates, type GameUpdatesParts, updateLimits } from '../../src/updates/game-updates.ts';
import { type DrainStage, type DrainStageOptions, drainStage } from '../drain/drain-stage.ts';
import { MemoryStore } from '../game/stage/memory-store.ts';

const minute = 60_000;
const since = '2026-11-21T06:30:00.000Z';
const buildOf = (manifest_id: string): GameBuild => ({
  downloaded_at: since,
  languages: [],
  files: 1,
  bytes: 1,
  apps: [{ app_id: 413_150, depots: [{ depot_id: 413_153, manifest_id }] }],
});
const gone = { kind: 'unreachable', reason: 'The sidecar does not answer', remedy: 'Start it' } as const;

/** A sidecar that behaves as docs/sidecar-api.md says. */
class PlayedSidecar implements NonNullable<GameUpdatesParts['sidecar']> {
  played = buildOf('1');
  newest = '2';
  staging: DownloadAnswer['staging'];
  session: SessionStatus['state'] = 'logged-in';
  isGone = false;
  /** What it does when it is told to publish. */
  publishes: 'well' | 'refuses' | 'dies before' | 'dies after' = 'well';
  /** Whether the game was there when its files were replaced. */
  wasPlayed: boolean | undefined;
  asked: string[] = [];
  stage: DrainStage | undefined;

  async health(): Promise<SidecarAnswer<SidecarHealth>> {
    if (this.isGone) return { ok: false, refusal: gone };
    const session = { state: this.session, reason: `The session is ${this.session}`, since };
    const logged_in = this.session === 'logged-in';
    return { ok: true, value: { status: 'ok', logged_in, timestamp: since, session } };
  }

  async download(): Promise<SidecarAnswer<DownloadAnswer>> {
    if (this.isGone) return { ok: false, refusal: gone };
    const { staging } = this;
    return {
      ok: true,
      value: { state: 'whole', since, game: this.played, ...(staging === undefined ? {} : { staging }) },
    };
  }

  async lookForBuild(): Promise<SidecarAnswer<DownloadAnswer>> {
    this.asked.push('look');
    if (this.staging?.state === 'under-way')
      return { ok: false, refusal: { kind: 'refused', reason: 'It is looked for already' } };
    if (!this.isGone && this.session !== 'logged-in')
      return { ok: false, refusal: { kind: 'refused', reason: `The session is ${this.session}` } };
    if (!this.isGone) this.staging = { state: 'under-way', since };
    return this.download();
  }

  isStaged(): void {
    const isNew = this.newest !== this.played.apps[0]?.depots[0]?.manifest_id;
    this.staging = isNew
      ? { state: 'staged', since, build: buildOf(this.newest) }
      : { state: 'nothing-new', since };
  }

  async publishBuild(): Promise<SidecarAnswer<DownloadAnswer>> {
    this.asked.push('publish');
    this.wasPlayed = this.stage !== undefined && isConnected(this.stage.bridge.state.link.status);
    if (this.publishes === 'refuses')
      return { ok: false, refusal: { kind: 'refused', reason: 'The disk of GAME_DIR is full' } };
    this.isGone = this.publishes !== 'well';
    if (this.publishes === 'dies before') return this.download();
    this.played = buildOf(this.newest);
    this.staging = undefined;
    return this.download();
  }
}

async function opened(options: DrainStageOptions = {}, sidecar = new PlayedSidecar()) {
  const stage = await drainStage({ players: 2, hasDisk: false, ...options });
  sidecar.stage = stage;
  const made: string[] = [];
  const updates = new GameUpdates({
    bridge: stage.bridge,
    sidecar,
    closedWhile: (...asked) => stage.drains.closedWhile(...asked),
    backups: {
      isOn: true,
      inTurn: (_what, work) => work(),
      async make({ why }) {
        made.push(`${why}${stage.mode.isThere ? ' while it is played' : ''}`);
        return { id: 'backup_1' };
      },
    },
    clock: stage.clock,
  });
  updates.load();
  return {
    ...stage,
    stage,
    sidecar,
    updates,
    made,
    /** Asks for it, which goes on; what became of it so far. */
    async begun(order: Parameters<typeof updates.run>[0] = { seconds: 0 }) {
      const answer = updates.run(order, undefined);
      await stage.pass(1_000);
      const result = await answer;
      const id = result.kind === 'operation' ? result.operation.id : '';
      return () => stage.bridge.operations.find(id);
    },
    /** The sidecar has what it looks for, and is asked again. */
    async isStaged(): Promise<void> {
      sidecar.isStaged();
      await stage.pass(updateLimits.lookMs);
    },
    isOpen: async () => [stage.mode.isThere, await stage.knocks()],
    [Symbol.dispose]: () => stage[Symbol.dispose](),
  };
}

it('stages while people play, and only when they have been seen off is the new build put in place', async () => {
  using world = await opened();
  const operation = await world.begun({ message: 'version 1.7' });
  await world.pass(10 * minute);
  expect([world.present(), await world.knocks()]).toEqual([['1', '2'], true]);
  await world.isStaged();
  expect(operation()).toMatchObject({ state: 'claimed', step: 'waiting' });
  expect(world.announced()).toEqual([
    'The server restarts when this day has ended, in 30 minutes at the latest (version 1.7)',
  ]);
  expect(await world.knocks()).toBe(false);
  await world.dayEnds();
  await world.pass(15_000);
  await world.isOver();
  await world.pass(5_000);
  expect(operation()).toMatchObject({
    state: 'applied',
    outcome: { after: { isUpdated: true, isSaved: true, isBack: true, backupId: 'backup_1' } },
  });
  expect([world.made, world.sidecar.wasPlayed]).toEqual([['before-update'], false]);
  expect(await world.isOpen()).toEqual([true, true]);
});

it('sees nobody off where there is nothing new', async () => {
  using world = await opened();
  world.sidecar.newest = '1';
  const operation = await world.begun();
  await world.isStaged();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isUpdated: false } } });
  expect([world.phases(), world.sidecar.asked]).toEqual([[], ['look']]);
});

it('goes on with what was begun before', async () => {
  using world = await opened();
  world.sidecar.staging = { state: 'under-way', since };
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.isStaged();
  await world.pass(10_000);
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isUpdated: true } } });
});

it('waits while the sidecar starts and logs in by itself, and sees nobody off meanwhile', async () => {
  using world = await opened();
  world.sidecar.isGone = true;
  world.sidecar.session = 'paced';
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.pass(30_000);
  world.sidecar.isGone = false;
  await world.pass(4 * minute);
  expect(operation()).toMatchObject({ state: 'claimed', step: 'looking' });
  expect([world.phases(), world.sidecar.asked]).toEqual([[], []]);
  world.sidecar.session = 'logged-in';
  await world.pass(updateLimits.lookMs);
  await world.isStaged();
  await world.pass(10_000);
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isUpdated: true } } });
});

it('waits for no login for longer than an hour, and says that it did', async () => {
  using world = await opened();
  world.sidecar.session = 'rate-limited';
  const operation = await world.begun();
  await world.pass(updateLimits.sessionMs - minute);
  expect(operation()).toMatchObject({ state: 'claimed', step: 'looking' });
  await world.pass(minute);
  const why = 'The session is rate-limited. The update waited 60 minutes for a login';
  expect(operation()).toMatchObject({ state: 'void', why });
});

it('does not wait for a login that only somebody can make possible, nor while the service stops', async () => {
  for (const session of ['no-account', 'credentials-refused', 'retrying'] as const) {
    using world = await opened();
    world.sidecar.session = session;
    const operation = await world.begun();
    if (session === 'retrying') {
      expect(operation()).toMatchObject({ state: 'claimed', step: 'looking' });
      world.updates.stop();
      await world.calm();
    }
    const why = session === 'retrying' ? 'stopping' : `The session is ${session}`;
    expect(operation()).toMatchObject({ state: 'void', why: expect.stringContaining(why) });
  }
});

it.each([
  ['refuses', 'void', 'The disk of GAME_DIR is full'],
  // From here nobody sees that it had not begun.
  ['dies before', 'unknown', 'The sidecar does not answer'],
] as const)(
  'starts the game again as it was where publishing %s, and says why',
  async (publishes, state, why) => {
    using world = await opened();
    world.sidecar.publishes = publishes;
    const operation = await world.begun({ when: 'now', seconds: 0 });
    await world.isStaged();
    await world.pass(3 * minute);
    await world.isOver();
    await world.calm();
    expect(operation()).toMatchObject({ state, why: expect.stringContaining(why) });
    expect(world.sidecar.played).toEqual(buildOf('1'));
    expect(await world.isOpen()).toEqual([true, true]);
  },
);

it('counts as done where only the answer is lost', async () => {
  using world = await opened();
  world.sidecar.publishes = 'dies after';
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.isStaged();
  await world.pass(10_000);
  world.sidecar.isGone = false;
  await world.pass(10_000);
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isUpdated: true } } });
});

it('is unknown where the sidecar never says whether it installed what it was told to', async () => {
  using world = await opened();
  world.sidecar.publishes = 'dies after';
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.isStaged();
  await world.pass(2 * updateLimits.awayMs);
  await world.isOver();
  expect(operation()).toMatchObject({ state: 'unknown', why: expect.stringContaining('GET /download') });
  expect(await world.isOpen()).toEqual([true, true]);
});

it('is done where the service is stopped while the game comes back with the new build', async () => {
  using world = await opened({ isOurs: false });
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.isStaged();
  await world.pass(5_000);
  await world.isOver();
  expect(operation()).toMatchObject({ state: 'claimed', step: 'starting' });
  world.updates.stop();
  await world.pass(1);
  expect(operation()).toMatchObject({
    state: 'applied',
    outcome: { after: { isUpdated: true, isBack: false } },
  });
});

it('fails with the sidecar’s reason, and sees nobody off, where nothing comes to be staged', async () => {
  for (const reason of ['The disk of GAME_DIR is full', undefined]) {
    using world = await opened();
    const operation = await world.begun();
    if (reason === undefined) world.sidecar.staging = undefined;
    else world.sidecar.staging = { state: 'failed', since, reason, remedy: 'Free some space' };
    await world.pass(updateLimits.lookMs);
    const why =
      reason === undefined ? 'was restarted and has lost the request' : `${reason}. Free some space`;
    expect(operation()).toMatchObject({ state: 'void', why: expect.stringContaining(why) });
    expect(world.phases()).toEqual([]);
  }
});

it('waits, while the game is away, until the sidecar is done with what somebody else has asked it for', async () => {
  const ends = {
    'found again': { state: 'applied' },
    'failed for want of a session': { state: 'void', why: 'There is no session. Log in' },
    'not done within a minute': { state: 'void', why: expect.stringContaining('the sidecar is not done') },
  };
  for (const [end, told] of Object.entries(ends)) {
    using world = await opened();
    const operation = await world.begun({ when: 'now', seconds: 10 });
    await world.isStaged();
    world.sidecar.staging = { state: 'under-way', since };
    await world.pass(30_000);
    expect(operation()).toMatchObject({ state: 'claimed', step: 'publishing' });
    if (end === 'found again') world.sidecar.isStaged();
    if (end === 'failed for want of a session')
      world.sidecar.staging = { state: 'failed', since, reason: 'There is no session', remedy: 'Log in' };
    await world.pass(minute);
    await world.isOver();
    expect(operation()).toMatchObject(told);
  }
});

it('is called off as a drain is, and everybody stays', async () => {
  using world = await opened();
  const operation = await world.begun();
  await world.isStaged();
  await world.drains.end(undefined);
  await world.calm();
  expect(operation()).toMatchObject({ state: 'void', why: expect.stringContaining('it was cancelled') });
  expect([world.present(), world.sidecar.asked, await world.isOpen()]).toEqual([
    ['1', '2'],
    ['look'],
    [true, true],
  ]);
});

it('is called off no more once the new files are being put in place', async () => {
  using world = await opened();
  const publish = world.sidecar.publishBuild.bind(world.sidecar);
  const asked = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: goesOn } = Promise.withResolvers<void>();
  world.sidecar.publishBuild = async (...given) => {
    asked.resolve();
    await mayGoOn;
    return publish(...given);
  };
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.isStaged();
  await world.pass(5_000);
  await asked.promise;
  await expect(world.drains.end(undefined)).rejects.toMatchObject({ code: 'drain-not-found' });
  goesOn();
  await world.pass(5_000);
  await world.isOver();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isUpdated: true } } });
});

it('keeps a game away that somebody else starts, until the new build is in place', async () => {
  using world = await opened({ isOurs: false });
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.isStaged();
  await world.pass(5_000);
  await world.isOver();
  expect(world.sidecar.wasPlayed).toBe(false);
  await world.isStartedAgain();
  await world.pass(2_000);
  expect(operation()).toMatchObject({
    state: 'applied',
    outcome: { after: { isUpdated: true, isBack: true } },
  });
});

it('refuses where the game cannot be stopped, before anything is fetched', async () => {
  using world = await opened({ isOurs: false, capabilities: ['save', 'kick'] });
  await expect(world.updates.run({}, undefined)).rejects.toMatchObject({ code: 'not-supported-by-game' });
  expect(world.sidecar.asked).toEqual([]);
});

it.each(['looking', 'waiting', 'leaving', 'publishing'] as const)(
  'killed while it is %s, leaves a game that comes back, and never half of a build',
  async (at) => {
    using world = await opened({ players: 1 });
    const operation = await world.begun({ when: at === 'waiting' ? 'day-end' : 'now', seconds: 0 });
    if (at === 'publishing') world.sidecar.publishBuild = () => new Promise(() => {});
    if (at === 'leaving') world.game.mood = { refuses: 'saving', message: 'It saves' };
    if (at !== 'looking') await world.isStaged();
    await world.pass(100);
    expect(operation()).toMatchObject({ state: 'claimed', step: at });
    const id = operation()?.id ?? '';
    // What the process before does still, no disk hears.
    const store = new MemoryStore();
    for (const [each, kept] of world.store.kept) store.kept.set(each, kept);
    await world.crashes();
    world.game.mood = 'willing';
    using next = await opened({ after: { ...world.stage, store } }, world.sidecar);
    expect(await next.isOpen()).toEqual([true, true]);
    expect(next.bridge.operations.find(id)).toMatchObject(
      at === 'publishing' ? { state: 'unknown', forGood: true } : { state: 'void' },
    );
  },
);

it('killed while the game comes back, says that the build is installed', async () => {
  using world = await opened({ isOurs: false });
  const operation = await world.begun({ when: 'now', seconds: 0 });
  await world.isStaged();
  await world.pass(5_000);
  expect(operation()).toMatchObject({ state: 'claimed', step: 'starting' });
  const store = new MemoryStore();
  for (const [each, kept] of world.store.kept) store.kept.set(each, kept);
  await world.crashes();
  using next = await opened({ isOurs: false, after: { ...world.stage, store } }, world.sidecar);
  expect(next.bridge.operations.find(operation()?.id ?? '')).toMatchObject({
    state: 'applied',
    outcome: { after: { isUpdated: true, isBack: false } },
  });
});

it('ends with the service in order: what waits is given up, and nothing is put in place', async () => {
  using world = await opened();
  const operation = await world.begun();
  world.updates.stop();
  await world.drains.stop();
  await world.isStaged();
  expect(operation()).toMatchObject({ state: 'void', why: expect.stringContaining('stopping') });
  expect(world.sidecar.asked).toEqual(['look']);
});
