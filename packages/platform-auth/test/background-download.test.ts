import { rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import { type DownloadAnswer, downloadAnswer } from '@steward/shared/sidecar/download';
import { MachinePace } from '@steward/testing/machine-pace';
import { ManualClock } from '@steward/testing/manual-clock';
import { Program } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { GameFiles, type GameFilesParts } from '../src/download/background/game-files.ts';
import { type DiskSteps, diskSteps } from '../src/download/disk/disk-steps.ts';
import { takeLock } from '../src/download/disk/lock.ts';
import { prepareGameDirectory } from '../src/download/disk/prepare.ts';
import { decideStagedBuild } from '../src/download/kept/journal.ts';
import { Places } from '../src/download/names/places.ts';
import { ContentError } from '../src/download/problems/problem.ts';
import { downloadTree } from '../src/download/run/download.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { type FailureClass, PlatformFailure } from '../src/platform/failure.ts';
import type { PlatformSession } from '../src/platform/platform-session.ts';
import { existingMarker } from './world/existing-marker.ts';
import { treeOn } from './world/game-tree.ts';
import { LocalDownload } from './world/local-download.ts';
import { turnAtP99Ms } from './world/long-turns.ts';
import { Killed, MortalSteps } from './world/mortal-steps.ts';
import { PublishedGame } from './world/published-game.ts';
import { SidecarProcess } from './world/sidecar-process.ts';
import { preparedUpdates, trees } from './world/update-beside.ts';
import { wholeGame } from './world/whole-game.ts';

const updates = preparedUpdates();
const patience = { timeout: 60_000, interval: 20 };

const ann = { name: 'ann', password: 'pass-word-of-ann', owns: [gameAppId] };
/** Of processor time, on a machine that is not slow now. `benchmarks/` holds the same limit in time that passes. */
const mostTurnMs = 20;
const game = new PublishedGame({ seed: 'background', bytes: 1_000_000, format: 'zstd' });
const [small] = PublishedGame.small();

async function downloadOf(
  sidecar: SidecarProcess,
  headers: Record<string, string> = {},
): Promise<DownloadAnswer> {
  return downloadAnswer.parse(await (await sidecar.get('/download', headers)).json());
}

it('begins when the service has logged in, and can be watched until the game may start', async () => {
  await using platform = await startPlatform({ accounts: [ann] });
  game.on(platform);
  const { promise: until, resolve: lift } = Promise.withResolvers<void>();
  platform.faults.add({ when: { kind: 'chunk' }, fault: { until } });
  using directory = temporaryDirectory();
  const secret = 'secret of the sidecar';
  await using sidecar = await SidecarProcess.start(platform, {
    SESSION_DIR: join(directory.path, 'session'),
    GAME_DIR: join(directory.path, 'game'),
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
    PLATFORM_AUTH_SECRET: secret,
  });
  expect((await sidecar.get('/download')).status).toBe(401);
  const headers = { authorization: `Bearer ${secret}` };
  const answered = (wanted: (answer: DownloadAnswer) => boolean) =>
    vi.waitUntil(
      async () => {
        const answer = await downloadOf(sidecar, headers);
        return wanted(answer) ? answer : false;
      },
      { timeout: 60_000, interval: 20 },
    );
  const under = await answered(({ progress }) => progress?.stage === 'fetching');
  expect(under.progress?.plan?.to_fetch.chunks).toBeGreaterThan(50);
  lift();
  const whole = await answered(({ state }) => state === 'whole');
  expect(whole.game?.apps.map(({ app_id }) => app_id)).toEqual([gameAppId, 1007]);
  expect(treeOn(join(directory.path, 'game'))).toEqual(game.expected());
  const metrics = await (await sidecar.get('/metrics', headers)).text();
  expect(metrics).toContain('steward_platform_game_files_state{state="whole"} 1');
  expect(metrics).toMatch(/steward_platform_download_bytes_total [1-9]/);
  await sidecar.program.line(/Game files: complete, \d+ files/);
});

it('does not hinder the service when the account has no game, and says why the files are missing', async () => {
  await using platform = await startPlatform({ accounts: [{ ...ann, owns: [] }] });
  small.on(platform);
  using directory = temporaryDirectory();
  await using sidecar = await SidecarProcess.start(platform, {
    SESSION_DIR: directory.path,
    GAME_DIR: join(directory.path, 'game'),
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
  });
  await sidecar.program.line(/Game files: .*does not own.*Trying again in/);
  const answer = await downloadOf(sidecar);
  expect(answer).toMatchObject({ state: 'missing', reason: expect.stringMatching(/does not own/) });
  expect(answer.next_retry).toBeDefined();
  expect((await sidecar.health()).logged_in).toBe(true);
});

it('stops with the service, and the command goes on where it stopped', async () => {
  await using platform = await startPlatform({ accounts: [ann] });
  small.on(platform);
  const lift = platform.faults.add({ when: { kind: 'chunk' }, fault: { latencyMs: 60_000 } });
  using directory = temporaryDirectory();
  const environment = {
    SESSION_DIR: join(directory.path, 'session'),
    GAME_DIR: join(directory.path, 'game'),
    PLATFORM_USERNAME: 'ann',
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
  };
  const sidecar = await SidecarProcess.start(platform, environment);
  await sidecar.program.line(/Game files: Downloading/);
  const second = { ...environment, PLATFORM_PROXY: platform.proxyUrl, NODE_EXTRA_CA_CERTS: platform.caFile };
  await using refused = new Program('packages/platform-auth/src/main.ts', ['download'], second);
  expect(await refused.exited).toMatchObject({ code: 1 });
  expect(refused.stderr.join('\n')).toMatch(/A download into GAME_DIR is running: `platform-auth serve`/);
  sidecar.program.kill('SIGTERM');
  expect(await sidecar.program.exited).toEqual({ code: 0, signal: null });
  lift();
  await using command = new Program('packages/platform-auth/src/main.ts', ['download'], second);
  expect(await command.exited).toMatchObject({ code: 0 });
  expect(treeOn(environment.GAME_DIR)).toEqual(small.expected());
});

function arrangement(world: LocalDownload, more: Partial<GameFilesParts> = {}) {
  const clock = new ManualClock(new Date());
  const places = new Places(world.directory);
  const failed = vi.fn();
  const incomplete = vi.fn();
  const ends: (() => void)[] = [];
  const ended = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  const next = (): void => ends.splice(0).forEach((end) => void end());
  const files = new GameFiles({
    places,
    session: () => ({}) as PlatformSession,
    download: (_session, events, signal) =>
      downloadTree(world.choice(), world.parts({ events, signal, command: 'serve' })),
    complete: () => completeInterrupted(places, 'serve', () => clock.date()),
    isOn: true,
    update: () => undefined,
    staging: async () => undefined,
    clock,
    random: () => 0,
    listener: {
      stage() {},
      planned() {},
      warning() {},
      progress() {},
      incomplete,
      failed: (...why) => {
        failed(...why);
        next();
      },
      done: next,
    },
    ...more,
  });
  return { clock, files, failed, incomplete, ended, places };
}

it('tells at its start what of an interrupted update it cannot complete', async () => {
  using world = LocalDownload.small();
  const { files, incomplete, places } = arrangement(world);
  await mkdir(places.work, { recursive: true });
  await writeFile(places.journal, 'no journal');
  await files.start();
  expect(incomplete.mock.calls).toMatchObject([[{ reason: expect.stringContaining(places.journal) }]]);
  expect(await files.answer()).toMatchObject({ state: 'missing', remedy: expect.any(String) });
});

it('completes a decided update once the disk takes it, also while there is no session', async () => {
  using update = updates.staged();
  const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' });
  const steps = { ...diskSteps, rename: () => Promise.reject(full) };
  await decideStagedBuild(update.places, diskSteps);
  let disk: DiskSteps = steps;
  const { clock, files, incomplete } = arrangement(update.world, {
    session: () => undefined,
    complete: () => completeInterrupted(update.places, 'serve', () => clock.date(), disk),
  });
  await files.start();
  clock.advance(300_000);
  await vi.waitUntil(() => incomplete.mock.calls.length === 2, patience);
  expect(await update.marker()).toBeUndefined();
  disk = diskSteps;
  clock.advance(300_000);
  await vi.waitUntil(() => update.marker(), patience);
  expect(update.world.tree).toEqual(trees.newer);
  await files.stop();
});

it('completes a publication that the disk stopped in the middle, also where nobody has logged in since the start', async () => {
  using update = updates.staged();
  const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' });
  let disk: DiskSteps = diskSteps;
  const complete = () => completeInterrupted(update.places, 'serve', () => new Date(), disk);
  const { clock, files, incomplete } = arrangement(update.world, { session: () => undefined, complete });
  await files.start();
  expect(incomplete).not.toHaveBeenCalled();
  await decideStagedBuild(update.places, diskSteps);
  disk = { ...diskSteps, rename: () => Promise.reject(full) };
  await expect(complete()).rejects.toThrow();
  files.look();
  await vi.waitUntil(() => incomplete.mock.calls.length === 1, patience);
  disk = diskSteps;
  clock.advance(300_000);
  await vi.waitUntil(() => update.marker(), patience);
  expect(update.world.tree).toEqual(trees.newer);
  await files.stop();
  const timers = vi.spyOn(clock, 'after');
  files.look();
  expect(timers).not.toHaveBeenCalled();
});

it('tries again after every failure, later and later, until it is done', async () => {
  using world = LocalDownload.small();
  const { clock, files, failed, ended } = arrangement(world);
  world.content.beforeChunk = async () => {
    throw new ContentError('unavailable', 'No content server answers');
  };
  let end = ended();
  files.loggedIn();
  await end;
  for (const ms of [1_000, 2_000, 4_000]) {
    expect(failed.mock.lastCall).toEqual([
      { reason: 'No content server answers', remedy: expect.stringMatching(/Run the download again/) },
      ms,
    ]);
    expect(await files.answer()).toMatchObject({ state: 'missing', next_retry: expect.any(String) });
    end = ended();
    clock.advance(ms);
    await end;
  }
  world.content.beforeChunk = async () => {};
  end = ended();
  clock.advance(8_000);
  await end;
  await vi.waitUntil(async () => (await files.answer()).state === 'whole');
  expect(world.tree).toEqual(world.expected());
});

it('tells when it tries again by the clock as it is, where that was set meanwhile', async () => {
  using world = LocalDownload.small();
  const { clock, files, ended } = arrangement(world);
  world.content.beforeChunk = async () => {
    throw new ContentError('unavailable', 'No content server answers');
  };
  const end = ended();
  files.loggedIn();
  await end;
  const retryInMs = async () => {
    const { next_retry = '' } = await files.answer();
    return Date.parse(next_retry) - clock.date().getTime();
  };
  expect(await retryInMs()).toBe(1_000);
  clock.setWallClock(-5 * 60 * 60_000);
  expect(await retryInMs()).toBe(1_000);
  await files.stop();
});

it.each([
  ['rate-limited', 35, 70],
  ['replaced', 1, 2],
] as const)('leaves a platform alone that says %s, for %i minutes at first', async (name, first, second) => {
  using world = LocalDownload.small();
  const { clock, files, failed, ended } = arrangement(world);
  // What passed before was no sign of what is met now.
  let meets: FailureClass = 'transient';
  world.content.beforeChunk = async () => {
    throw new PlatformFailure({ class: meets, reason: 'Not now' });
  };
  let end = ended();
  files.loggedIn();
  await end;
  meets = name;
  end = ended();
  clock.advance(1_000);
  await end;
  for (const wait of [first, second]) {
    const ms = wait * 60_000;
    expect(failed.mock.lastCall).toEqual([{ reason: 'Not now' }, ms]);
    const tries = failed.mock.calls.length;
    clock.advance(ms - 1);
    // A session that comes back meanwhile is no reason to ask again.
    files.loggedIn();
    // It would look for the marker first, as each answer does.
    await files.answer();
    expect(await files.answer()).toMatchObject({ state: 'missing', next_retry: expect.any(String) });
    expect(failed).toHaveBeenCalledTimes(tries);
    end = ended();
    clock.advance(1);
    await end;
  }
  await files.stop();
});

it('notices a marker that somebody removed, says so, and completes the game again', async () => {
  using world = LocalDownload.small();
  const { clock, files, ended } = arrangement(world);
  let end = ended();
  files.loggedIn();
  await end;
  rmSync(new Places(world.directory).marker);
  expect(await files.answer()).toMatchObject({ state: 'missing', reason: expect.stringMatching(/marker/) });
  end = ended();
  clock.advance(300_000);
  await end;
  expect((await files.answer()).state).toBe('whole');
  expect(world.tree).toEqual(world.expected());
  await files.stop();
});

it('looks at the disk once for all who ask while it does not answer', async () => {
  using world = LocalDownload.small();
  using whole = wholeGame();
  const { promise: hangs, resolve: answers } = Promise.withResolvers<undefined>();
  const staging = vi.fn(() => hangs);
  const update = vi.fn(() => undefined);
  const { clock, files } = arrangement(world, { places: new Places(whole.path), staging, update });
  await files.start();
  files.look();
  await vi.waitUntil(() => update.mock.calls.length > 0, patience);
  update.mockClear();
  const asked = [files.answer(), files.answer()];
  await vi.waitUntil(() => staging.mock.calls.length > 0, patience);
  asked.push(files.answer());
  clock.advance(300_000);
  answers(undefined);
  expect((await Promise.all(asked)).map(({ state }) => state)).toEqual(['whole', 'whole', 'whole']);
  expect(staging).toHaveBeenCalledOnce();
  await files.answer();
  expect(update).toHaveBeenCalledTimes(2);
  await files.stop();
});

it('begins no further look of its own while one at the disk is under way, however long', async () => {
  using world = LocalDownload.small();
  using whole = wholeGame();
  const places = new Places(whole.path);
  const update = vi.fn(() => undefined);
  const { clock, files } = arrangement(world, { places, update });
  await files.start();
  files.look();
  const looks = vi.spyOn(places, 'marker', 'get');
  // In one turn of the event loop: no disk has answered meanwhile.
  for (let times = 0; times < 4; times += 1) clock.advance(300_000);
  files.loggedIn();
  expect(looks).not.toHaveBeenCalled();
  await vi.waitUntil(() => update.mock.calls.length > 0, patience);
  clock.advance(300_000);
  expect(looks).toHaveBeenCalledOnce();
  await files.stop();
});

it('names another process that downloads', async () => {
  using world = LocalDownload.small();
  const { files } = arrangement(world);
  const places = new Places(world.directory);
  await prepareGameDirectory(places, diskSteps);
  {
    await using _lock = await takeLock(places, 'download', () => new Date());
    expect(await files.answer()).toMatchObject({
      state: 'downloading',
      reason: expect.stringMatching(/is running: `platform-auth download` on .* \(process \d+\)/),
    });
  }
  expect((await files.answer()).state).toBe('missing');
});

it('leaves the service free to answer: what its event loop does in one go while downloading is short', async () => {
  await using platform = await startPlatform({ accounts: [ann] });
  new PublishedGame({
    seed: 'turns',
    bytes: count({ small: 12_000_000, long: 100_000_000 }),
    format: 'zstd',
  }).on(platform);
  using directory = temporaryDirectory();
  await using sidecar = await SidecarProcess.measured(platform, {
    CLOCK_SPEED: '1',
    SESSION_DIR: join(directory.path, 'session'),
    GAME_DIR: join(directory.path, 'game'),
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
  });
  // Logging in is the libraries', and over.
  await sidecar.program.line(/Game files: Preparing/);
  using pace = new MachinePace();
  sidecar.program.kill('SIGWINCH');
  await sidecar.program.line(/Game files: complete/);
  const limitMs = mostTurnMs * pace.processorSlowness;
  sidecar.program.kill('SIGTERM');
  await sidecar.program.exited;
  const turn = turnAtP99Ms(sidecar.program.stdout);
  expect(turn).toBeGreaterThan(0);
  expect(turn).toBeLessThan(limitMs);
});

it('completes an interrupted publication before anybody is logged in', async () => {
  using world = LocalDownload.small();
  let publishing = 0;
  const counting = new MortalSteps({ atStep: 0, manner: 'before' });
  using rehearsal = LocalDownload.small();
  await rehearsal.run(
    {},
    { steps: counting, events: { ...world.parts().events, stage: () => (publishing = counting.steps) } },
  );
  const inTheMiddle = Math.floor((publishing + counting.steps) / 2);
  const steps = new MortalSteps({ atStep: inTheMiddle, manner: 'before' });
  await expect(world.run({}, { steps })).rejects.toThrow(Killed);
  const { files } = arrangement(world);
  expect((await files.answer()).state).toBe('missing');
  world.takeFetched();
  await files.start();
  expect((await files.answer()).state).toBe('whole');
  expect(world.tree).toEqual(world.expected());
  expect(world.takeFetched()).toEqual([]);
});

it('leaves the game that the existing server’s own downloader has completed, and says so, until its marker is gone', async () => {
  using world = LocalDownload.small();
  const download = vi.fn(() => new Promise<never>(() => {}));
  const { clock, files, incomplete, places } = arrangement(world, { download });
  await writeFile(places.marker, existingMarker);
  await files.start();
  expect(incomplete.mock.calls).toEqual([
    [
      {
        reason: expect.stringMatching(/existing server’s own downloader.* not update/),
        remedy: expect.stringMatching(/[Ss]top the game, run `platform-auth download`/),
      },
    ],
  ]);
  files.loggedIn();
  expect(downloadAnswer.parse(await files.answer())).toEqual({
    state: 'whole',
    since: expect.any(String),
    ...incomplete.mock.lastCall?.[0],
  });
  // It would look for the marker first, as each answer does.
  await files.answer();
  expect(download).not.toHaveBeenCalled();
  rmSync(places.marker);
  clock.advance(300_000);
  await vi.waitUntil(() => download.mock.calls.length === 1, patience);
});
