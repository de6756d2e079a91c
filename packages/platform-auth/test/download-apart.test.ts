import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import { socketsAfterSigusr1 } from '@steward/testing/inspector';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { RemoteDirectory } from '../src/download/background/far-side.ts';
import { whoHolds } from '../src/download/disk/lock.ts';
import { Places } from '../src/download/names/places.ts';
import { treeOn } from './world/game-tree.ts';
import { PublishedGame } from './world/published-game.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

const secrets = { password: 'pass-word-of-ann', service: 'secret of the sidecar' };
const ann = { name: 'ann', password: secrets.password, owns: [gameAppId] };
const pollMs = 20;
/** Also where these tests have a low priority themselves. */
const lowNiceness = Math.max(15, getPriority());
const [game] = PublishedGame.small();

/** A service in the middle of a download that does not get further until `lift`. */
async function downloading() {
  await using stack = new AsyncDisposableStack();
  const platform = stack.use(await startPlatform({ accounts: [ann] }));
  game.on(platform);
  const { promise: until, resolve: lift } = Promise.withResolvers<void>();
  platform.faults.add({ when: { kind: 'chunk' }, fault: { until } });
  const directory = stack.use(temporaryDirectory());
  const places = new Places(join(directory.path, 'game'));
  const token = platform.refreshToken('ann');
  const sidecar = stack.use(
    await SidecarProcess.start(platform, {
      SESSION_DIR: join(directory.path, 'session'),
      GAME_DIR: places.root,
      PLATFORM_USERNAME: 'ann',
      PLATFORM_PASSWORD: secrets.password,
      PLATFORM_REFRESH_TOKEN: token,
      PLATFORM_AUTH_SECRET: secrets.service,
      NODE_USE_SYSTEM_CA: '1',
    }),
  );
  await sidecar.program.line(/Game files: Downloading/);
  const { pid } = sidecar.program;
  const [child = 0, ...others] = childrenOf(pid);
  expect(others).toEqual([]);
  const kept = stack.move();
  return { places, sidecar, child, token, lift, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

it('downloads in a process of its own, which knows no credential and is gone afterwards', async () => {
  await using world = await downloading();
  const { child, sidecar, places, token } = world;
  for (const file of ['environ', 'cmdline']) {
    const text = readFileSync(`/proc/${child}/${file}`, 'utf8');
    expect(text).not.toBe('');
    for (const secret of [...Object.values(secrets), token, 'PLATFORM_']) expect(text).not.toContain(secret);
  }
  // It trusts whom the service trusts.
  const environment = readFileSync(`/proc/${child}/environ`, 'utf8').split('\0');
  expect(environment).toEqual(
    expect.arrayContaining([expect.stringMatching(/^NODE_EXTRA_CA_CERTS=/), 'NODE_USE_SYSTEM_CA=1']),
  );
  const held = await whoHolds(places);
  expect(held?.holder).toMatchObject({ command: 'serve', pid: sidecar.program.pid });
  world.lift();
  await sidecar.program.line(/Game files: complete/);
  expect(treeOn(places.root)).toEqual(game.expected());
  expect(childrenOf(sidecar.program.pid)).toEqual([]);
});

it('goes on after that process was killed, and says what happened', async () => {
  await using world = await downloading();
  const { child, sidecar, places } = world;
  process.kill(child, 'SIGKILL');
  await sidecar.program.line(/The download process ended too early \(SIGKILL\).*Trying again in [12] s/);
  world.lift();
  await sidecar.program.line(/Game files: complete/);
  expect(treeOn(places.root)).toEqual(game.expected());
});

it.each([
  ['a lower one than a service has as a rule', getPriority(), Math.max(10, getPriority())],
  ['that of a service whose own is lower, as only root may raise it', lowNiceness, lowNiceness],
])('has as its priority %s', async (_, ofService, ofDownload) => {
  await using world = await downloading();
  const { child, sidecar } = world;
  const { pid } = sidecar.program;
  setPriority(pid, ofService);
  process.kill(child, 'SIGKILL');
  await sidecar.program.line(/Game files: Downloading/, { number: 2 });
  expect(childrenOf(pid).map((each) => getPriority(each))).toEqual([ofDownload]);
});

it('leaves a signal that a terminal sends to every process for the service to decide', async () => {
  await using world = await downloading();
  const { child, sidecar, places } = world;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(child, signal);
  world.lift();
  await sidecar.program.line(/Game files: complete/);
  expect(await whoHolds(places)).toBeUndefined();
});

it('opens no inspector on SIGUSR1 in that process either', async () => {
  await using world = await downloading();
  expect(await socketsAfterSigusr1(world.child)).toBe(0);
  world.lift();
  await world.sidecar.program.line(/Game files: complete/);
});

it('ends with a service that is killed, and leaves the lock to the next', async () => {
  await using world = await downloading();
  const { child, sidecar, places } = world;
  sidecar.program.kill('SIGKILL');
  await sidecar.program.exited;
  await vi.waitUntil(() => !runs(child), { timeout: 10_000, interval: pollMs });
  expect(await whoHolds(places)).toBeUndefined();
});

it('waits for no answer of a service that is gone', async () => {
  const stop = new AbortController();
  const directory = new RemoteDirectory(() => {}, stop.signal);
  const asked = directory.servers();
  stop.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  await expect(Promise.race([directory.servers(), setImmediate('nothing yet')])).rejects.toThrow('gone');
});

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    (readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
  );
}

function runs(pid: number): boolean {
  try {
    // Whatever has ended and waits for somebody to take notice has a Z here.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
