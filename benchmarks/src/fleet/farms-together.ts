import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoApps } from '@steward/platform-emulator/demo-apps';
import { gameAppId, sdkAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import { shipped } from '@steward/tools/bundle/bundle';
import { processorMs } from '../server-process.ts';
import { type Service, Stack } from './stack.ts';

const gameBytes = 1_000_000;

export interface FarmsTogether {
  readonly all: readonly Stack[];
  /** Starts so many more at once, and waits until players can join each. */
  start(farms: number): Promise<void>;
}

/** A machine with a platform, for at most so many farms beside each other; they end with the measurement. */
export async function withFarms<T>(most: number, measure: (farms: FarmsTogether) => Promise<T>): Promise<T> {
  using api = await shipped('control-api');
  using sidecar = await shipped('platform-auth');
  using game = await shipped('simulated-game');
  const programs = { api: api.main, sidecar: sidecar.main, game: game.main };
  const root = mkdtempSync(join(tmpdir(), 'steward-bench-fleet-'));
  mkdirSync(join(root, 'game'));
  const names = Array.from({ length: most }, (_, index) => `farm${index}`);
  const platform = await startPlatform({
    seed: 'fleet',
    apps: demoApps('fleet', gameBytes),
    accounts: names.map((name) => ({ name, password: name, owns: [gameAppId, sdkAppId] })),
  });
  const all: Stack[] = [];
  const start = async (farms: number) => {
    const fresh = await Promise.all(
      names.slice(all.length, all.length + farms).map((name) => Stack.start(programs, platform, name, root)),
    );
    all.push(...fresh);
    await Promise.all(fresh.map((stack) => stack.joinable()));
  };
  try {
    return await measure({ all, start });
  } finally {
    await Promise.all(all.map((stack) => stack.stop()));
    await platform.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** The game is not ours: it counts nowhere. */
export function cpuOf(services: readonly Service[]): number {
  return services.reduce((total, { pid }) => total + processorMs(pid), 0);
}
