import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import { type DownloadAnswer, downloadAnswer } from '@steward/shared/sidecar/download';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStagedBuild } from '../src/download/kept/journal.ts';
import { readMarker } from '../src/download/kept/marker.ts';
import { Places } from '../src/download/names/places.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { NothingStaged, publishStaged } from '../src/download/run/publish-staged.ts';
import { existingMarker } from './world/existing-marker.ts';
import { treeOn } from './world/game-tree.ts';
import { LocalDownload } from './world/local-download.ts';
import { type Death, Killed, MortalSteps } from './world/mortal-steps.ts';
import { PublishedGame } from './world/published-game.ts';
import { SidecarProcess } from './world/sidecar-process.ts';
import { preparedUpdates, trees } from './world/update-beside.ts';

const ann = { name: 'ann', password: 'pass-of-ann', owns: [gameAppId] };
const plan = { seed: 'newer', bytes: 1_000_000 };
const first = new PublishedGame({ ...plan, format: 'zstd' });
const second = new PublishedGame({ ...plan, format: 'zstd', version: 2 });
const updates = preparedUpdates();
const secret = 'secret of the sidecar';
const headers = { authorization: `Bearer ${secret}` };

/** A GAME_DIR with the first build whole, of which each service has a copy. */
const whole = new LocalDownload(plan);
beforeAll(async () => {
  await whole.run();
});
afterAll(() => whole[Symbol.dispose]());

/** A service with the first build whole, while the platform has the second. */
async function updatable(more: NodeJS.ProcessEnv = {}) {
  await using stack = new AsyncDisposableStack();
  const platform = stack.use(await startPlatform({ accounts: [ann] }));
  first.on(platform);
  const directory = stack.use(temporaryDirectory());
  const game = stack.use(whole.copy()).directory;
  const environment = {
    SESSION_DIR: join(directory.path, 'session'),
    GAME_DIR: game,
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
    PLATFORM_AUTH_SECRET: secret,
  };
  const start = (variables: NodeJS.ProcessEnv) =>
    SidecarProcess.start(platform, { ...environment, ...variables });
  let sidecar = await start(more);
  await sidecar.healthWhere(({ session }) => session.state !== 'logging-in');
  second.on(platform);
  const answer = async () => downloadAnswer.parse(await (await sidecar.get('/download', headers)).json());
  const kept = stack.move();
  return {
    platform,
    game,
    answer,
    get sidecar() {
      return sidecar;
    },
    async restart() {
      sidecar = await start(more);
      await sidecar.healthWhere(({ logged_in }) => logged_in);
    },
    async post(path: string) {
      const response = await sidecar.post(path, headers);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    until: (wanted: (answer: DownloadAnswer) => boolean) =>
      vi.waitUntil(
        async () => {
          const now = await answer();
          return wanted(now) ? now : false;
        },
        { timeout: 60_000, interval: 20 },
      ),
    async [Symbol.asyncDispose]() {
      await sidecar[Symbol.asyncDispose]();
      await kept.disposeAsync();
    },
  };
}

describe('POST /download', () => {
  it('stages a newer build beside the game that runs, and only POST /download/publish puts it in place', async () => {
    await using world = await updatable();
    const { post, answer, until, game } = world;
    expect((await world.sidecar.post('/download')).status).toBe(401);
    expect((await answer()).staging).toBeUndefined();
    expect(await post('/download/publish')).toMatchObject({ status: 409, body: { code: 'nothing-staged' } });
    const held = Promise.withResolvers<void>();
    world.platform.faults.add({ when: { kind: 'chunk' }, fault: { until: held.promise } });
    expect(await post('/download')).toMatchObject({
      status: 202,
      body: { state: 'whole', staging: { state: 'under-way' } },
    });
    expect(await post('/download')).toMatchObject({ status: 409, body: { code: 'download-under-way' } });
    expect(await post('/download/publish')).toMatchObject({
      status: 409,
      body: { code: 'download-under-way' },
    });
    await until(({ staging }) => staging?.progress?.stage === 'fetching');
    held.resolve();
    const { staging, game: played } = await until((now) => now.staging?.state === 'staged');
    expect(staging?.build?.apps).not.toEqual(played?.apps);
    expect(treeOn(game)).toEqual(first.expected());
    // A restart in between changes nothing of it.
    world.sidecar.program.kill('SIGKILL');
    await world.sidecar.program.exited;
    await world.restart();
    expect((await answer()).staging).toEqual(staging);
    expect(await post('/download/publish')).toMatchObject({ status: 200, body: { state: 'whole' } });
    expect(treeOn(game)).toEqual(second.expected());
    expect(readdirSync(join(game, '.download'))).not.toContain('staged-build.json');
    const after = await answer();
    expect(after.game?.apps).toEqual(staging?.build?.apps);
    expect(after.staging).toBeUndefined();
    expect(await post('/download')).toMatchObject({ status: 202 });
    await until((now) => now.staging?.state === 'nothing-new');
  });

  it('says why it failed, and goes on where it stopped', async () => {
    await using world = await updatable();
    const { post, until, answer, game } = world;
    const lift = world.platform.faults.add({ when: { kind: 'chunk' }, fault: { latencyMs: 60_000 } });
    await post('/download');
    await until(({ staging }) => staging?.progress?.stage === 'fetching');
    world.sidecar.program.kill('SIGKILL');
    await world.sidecar.program.exited;
    await world.restart();
    expect((await answer()).staging).toMatchObject({
      state: 'failed',
      reason: 'The service was stopped while it downloaded a newer build',
      remedy: expect.stringContaining('POST /download'),
    });
    expect(treeOn(game)).toEqual(first.expected());
    lift();
    await post('/download');
    await until((now) => now.staging?.state === 'staged');
  });

  it('is refused with the reason where there is no session, and GET /download has it as well', async () => {
    using nothingSaved = temporaryDirectory();
    const without = { PLATFORM_REFRESH_TOKEN: '', SESSION_DIR: nothingSaved.path };
    await using world = await updatable(without);
    const remedy = expect.stringContaining('platform-auth login');
    expect(await world.post('/download')).toMatchObject({
      status: 503,
      body: { code: 'platform-unavailable', remedy },
    });
    expect((await world.answer()).staging).toMatchObject({
      state: 'failed',
      reason: expect.any(String),
      remedy,
    });
  });

  it('leaves a build that is staged as it is where there is no session', async () => {
    using beside = updates.staged();
    const service = beside.service(() => undefined);
    await expect(service.look()).rejects.toMatchObject({ code: 'platform-unavailable' });
    expect(await beside.toldBy(service)).toMatchObject({ state: 'staged' });
  });

  it('is refused beside a game that the existing server’s own downloader has brought, and says who updates it', async () => {
    using beside = updates.staged();
    writeFileSync(beside.places.marker, existingMarker);
    await expect(beside.service().look()).rejects.toMatchObject({
      code: 'game-files-missing',
      message: expect.stringMatching(
        /existing server’s own downloader.*stop the game, run `platform-auth download`/,
      ),
    });
  });

  it('is refused where PLATFORM_DOWNLOAD is off', async () => {
    await using world = await updatable({ PLATFORM_DOWNLOAD: 'off' });
    for (const path of ['/download', '/download/publish'])
      expect(await world.post(path)).toMatchObject({
        status: 409,
        body: { code: 'download-off', detail: expect.stringContaining('PLATFORM_DOWNLOAD is off') },
      });
    expect((await world.answer()).state).toBe('whole');
  });
});

const parts = { command: 'serve', now: () => new Date(), signal: new AbortController().signal };

const beforeStaging = () => updates.begun().world;
const afterStaging = () => updates.staged().world;

async function survives(death: Death, work: (steps: MortalSteps) => Promise<unknown>): Promise<number> {
  const steps = new MortalSteps(death);
  await work(steps).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  return steps.steps;
}

const never: Death = { atStep: 0, manner: 'before' };

describe('staging and publishing that are killed at any step', () => {
  it('leave the tree as it was until it is published, and then never half of it', {
    timeout: 600_000,
  }, async () => {
    using staged = beforeStaging();
    const staging = await survives(never, (steps) => staged.run({ stagesOnly: true }, { steps }));
    const places = new Places(staged.directory);
    expect(staged.tree).toEqual(trees.older);
    expect(await readStagedBuild(places)).toBeDefined();
    const every = count({ small: 7, long: 1 });
    for (let atStep = 1; atStep <= staging; atStep += every) {
      using world = beforeStaging();
      await survives({ atStep, manner: atStep % 2 === 0 ? 'before' : 'halfway' }, (steps) =>
        world.run({ stagesOnly: true }, { steps }),
      );
      expect([atStep, world.tree]).toEqual([atStep, trees.older]);
      expect(await readMarker(new Places(world.directory))).toBeDefined();
      await world.run({ stagesOnly: true });
      await publishStaged(new Places(world.directory), parts);
      expect([atStep, world.tree]).toEqual([atStep, trees.newer]);
    }
    using all = afterStaging();
    const publishing = await survives(never, (steps) =>
      publishStaged(new Places(all.directory), { ...parts, steps }),
    );
    expect(all.tree).toEqual(trees.newer);
    for (let atStep = 1; atStep <= publishing; atStep += count({ small: 5, long: 1 })) {
      using world = afterStaging();
      const where = new Places(world.directory);
      await survives({ atStep, manner: atStep % 2 === 0 ? 'before' : 'halfway' }, (steps) =>
        publishStaged(where, { ...parts, steps }),
      );
      const isWhole = (await readMarker(where)) !== undefined;
      if (isWhole)
        expect([JSON.stringify(trees.older), JSON.stringify(trees.newer)]).toContain(
          JSON.stringify(world.tree),
        );
      const wasDecided = existsSync(where.journal);
      // As the service does when it starts, or as whoever asks again.
      if (atStep % 2 === 0) await completeInterrupted(where, 'serve', () => new Date());
      else await publishStaged(where, parts).catch(() => {});
      if (wasDecided || atStep % 2 === 1) expect([atStep, world.tree]).toEqual([atStep, trees.newer]);
      expect(await readMarker(where)).toBeDefined();
      await world.run();
      expect(world.tree).toEqual(trees.newer);
    }
  });

  it('publishes nothing that somebody has changed in the stage, and nothing that another run has overtaken', async () => {
    using prepared = afterStaging();
    using changed = afterStaging();
    const places = new Places(changed.directory);
    const [name = ''] = readdirSync(places.stage);
    writeFileSync(join(places.stage, name), 'x');
    await expect(publishStaged(places, parts)).rejects.toThrow(/something else has written to GAME_DIR/);
    expect(changed.tree).toEqual(trees.older);
    await changed.run({ stagesOnly: true });
    await publishStaged(places, parts);
    expect(changed.tree).toEqual(trees.newer);
    await prepared.run();
    await expect(publishStaged(new Places(prepared.directory), parts)).rejects.toBeInstanceOf(NothingStaged);
  });

  it('is called off until it is decided', async () => {
    using prepared = afterStaging();
    const places = new Places(prepared.directory);
    await expect(publishStaged(places, { ...parts, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(prepared.tree).toEqual(trees.older);
    expect(await readStagedBuild(places)).toBeDefined();
  });
});
