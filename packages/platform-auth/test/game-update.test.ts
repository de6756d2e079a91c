import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import { downloadAnswer, type GameUpdate } from '@steward/shared/sidecar/download';
import { ManualClock } from '@steward/testing/manual-clock';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { UpdateWatch } from '../src/download/background/update-watch.ts';
import { diskSteps } from '../src/download/disk/disk-steps.ts';
import { takeLock } from '../src/download/disk/lock.ts';
import { prepareGameDirectory } from '../src/download/disk/prepare.ts';
import { filterVersion } from '../src/download/filter/filter-table.ts';
import { makeMarker, printMarker, readMarker } from '../src/download/kept/marker.ts';
import { Places } from '../src/download/names/places.ts';
import { PlatformFailure } from '../src/platform/failure.ts';
import type { PlatformSession } from '../src/platform/platform-session.ts';
import { PublishedGame } from './world/published-game.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

const hourMs = 3_600_000;
const depotId = 413_153;
const ann = { name: 'ann', password: 'pass-of-ann', owns: [gameAppId] };

it('a new build on the platform is noticed while the service runs, on the session that it has', async () => {
  const [first, second] = PublishedGame.small();
  await using platform = await startPlatform({ accounts: [ann] });
  first.on(platform);
  using directory = temporaryDirectory();
  const environment = {
    SESSION_DIR: join(directory.path, 'session'),
    GAME_DIR: join(directory.path, 'game'),
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
  };
  await using sidecar = await SidecarProcess.start(platform, { ...environment, CLOCK_SPEED: '4000' });
  await sidecar.program.line(/Game files: complete/);
  const answer = async () => downloadAnswer.parse(await (await sidecar.get('/download')).json());
  expect((await answer()).update).toMatchObject({ state: 'current' });
  second.on(platform);
  await sidecar.program.line(/another build of the game than GAME_DIR.*platform-auth download/);
  const health = await sidecar.health();
  expect(health.game_update).toMatchObject({ state: 'available', checked_at: expect.any(String) });
  expect(await answer()).toMatchObject({ state: 'whole', update: { state: 'available' } });
  const metrics = await (await sidecar.get('/metrics')).text();
  expect(metrics).toContain('steward_platform_game_update_state{state="available"} 1');
  expect(platform.record.count({ path: 'ClientLogon' })).toBe(1);

  await using command = new Program('packages/platform-auth/src/main.ts', ['download'], {
    ...environment,
    PLATFORM_PROXY: platform.proxyUrl,
    NODE_EXTRA_CA_CERTS: platform.caFile,
  });
  expect(await command.exited).toMatchObject({ code: 0 });
  // The service, in its haste here, may have seen that there was no marker for a moment.
  await vi.waitUntil(async () => (await answer()).update?.state === 'current', { timeout: 60_000 });
});

/** A watch of a GAME_DIR with the build '1', and a platform that has the build `build`. */
class Watched implements Disposable {
  readonly watch: UpdateWatch;
  readonly #directory = temporaryDirectory();
  readonly places = new Places(this.#directory.path);
  readonly clock = new ManualClock(new Date('2026-11-21T08:00:00.000Z'));
  readonly asked = vi.fn(async () => ({
    depots: { branches: { public: {} }, [depotId]: { manifests: { public: { gid: this.build } } } },
  }));
  readonly #changed = vi.fn();
  readonly #random = vi.fn(() => 0);
  build = '1';
  hasSession = true;
  downloads = false;
  constructor(isOn = true) {
    this.watch = new UpdateWatch({
      isOn,
      places: this.places,
      branch: 'public',
      session: () => (this.hasSession ? sessionWith(this.asked) : undefined),
      isDownloading: () => this.downloads,
      clock: this.clock,
      random: this.#random,
      changed: (update) => this.#changed(update.state),
    });
    this.publish('1', '2026-11-21T06:30:00.000Z');
    this.watch.loggedIn();
  }

  publish(manifestId: string, downloadedAt: string): void {
    const content = {
      apps: [{ appId: gameAppId, depots: [{ depotId, manifestId }] }],
      languages: [],
      keepFiles: [],
      filterVersion,
      totalFiles: 1,
      totalBytes: 1,
    };
    writeFileSync(this.places.marker, printMarker(makeMarker({ ...content, downloadedAt })));
  }

  /** Lets the time of the next check come, and waits for its end. */
  async check(): Promise<GameUpdate | undefined> {
    const ended = this.#random.mock.calls.length + 1;
    this.clock.advance(hourMs);
    await vi.waitUntil(() => this.#random.mock.calls.length >= ended, { timeout: 20_000 });
    return this.watch.last;
  }

  get told(): readonly unknown[] {
    return this.#changed.mock.calls.flat();
  }

  [Symbol.dispose](): void {
    this.watch.stop();
    this.#directory[Symbol.dispose]();
  }
}

function sessionWith(productInfo: unknown): PlatformSession {
  return { content: { productInfo } } as PlatformSession;
}

it('has the service that brings the files asked for the new ones, where this one does not: other games may run from them', async () => {
  using world = new Watched(false);
  world.build = '2';
  const { remedy } = (await world.check()) ?? {};
  expect(remedy).toContain('PLATFORM_DOWNLOAD is off');
  expect(remedy).toContain('Stop each game that uses these files');
});

it('says which of the platform’s builds there is, and since when', async () => {
  using world = new Watched();
  expect(await world.check()).toMatchObject({ state: 'current', since: '2026-11-21T09:00:00.000Z' });
  world.build = '2';
  const since = '2026-11-21T10:00:00.000Z';
  expect(await world.check()).toMatchObject({ state: 'available', since, checked_at: since });
  expect(await world.check()).toMatchObject({ since, checked_at: '2026-11-21T11:00:00.000Z' });
  expect(world.told).toEqual(['current', 'available']);
});

it('says since when it is not known, and keeps what it has found', async () => {
  using world = new Watched();
  await world.check();
  world.asked.mockRejectedValue(new PlatformFailure({ class: 'transient', reason: 'No answer' }));
  const unknown = {
    state: 'unknown',
    since: '2026-11-21T10:00:00.000Z',
    checked_at: '2026-11-21T09:00:00.000Z',
    reason: 'No answer',
  };
  expect(await world.check()).toEqual(unknown);
  world.hasSession = false;
  expect(await world.check()).toEqual(unknown);

  using found = new Watched();
  found.build = '2';
  await found.check();
  found.hasSession = false;
  expect(await found.check()).toMatchObject({ state: 'available', checked_at: '2026-11-21T09:00:00.000Z' });
});

it('asks nothing while there is a download, of its own or another’s, or no whole game', async () => {
  using world = new Watched();
  world.downloads = true;
  await world.check();
  world.downloads = false;
  await prepareGameDirectory(world.places, diskSteps);
  {
    await using _lock = await takeLock(world.places, 'download', () => new Date());
    await world.check();
  }
  rmSync(world.places.marker);
  expect(await world.check()).toBeUndefined();
  expect(world.asked).not.toHaveBeenCalled();
});

it('takes a download for as good as a check', async () => {
  using world = new Watched();
  world.build = '2';
  await world.check();
  world.publish('2', '2026-11-21T09:30:00.000Z');
  expect(world.watch.beside(await readMarker(world.places))).toMatchObject({ state: 'current' });
  expect(await world.check()).toMatchObject({ state: 'current', checked_at: '2026-11-21T10:00:00.000Z' });
});

it('notices a newer build also where the clock was ahead when the files were downloaded', async () => {
  using world = new Watched();
  world.publish('1', '2027-02-01T00:00:00.000Z');
  expect(world.watch.beside(await readMarker(world.places))).toMatchObject({ state: 'unknown' });
  expect(await world.check()).toMatchObject({ state: 'current', since: '2026-11-21T09:00:00.000Z' });
  world.build = '2';
  expect(await world.check()).toMatchObject({ state: 'available', since: '2026-11-21T10:00:00.000Z' });
});
