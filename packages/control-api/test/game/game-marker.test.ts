import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { processStarter } from '../../src/game/modes/game-process.ts';
import { SpawnMode, spawnLimits } from '../../src/game/modes/spawn-mode.ts';
import { gameCommand, stateThat } from './stage/process-stage.ts';
import { buildBridge, quiet } from './stage/stage.ts';

/** A process on a busy machine takes its time to die. */
const patience = { timeout: 20_000 };

function stage(directory: string) {
  const clock = new ManualClock();
  const marker = join(directory, 'marker');
  const starts = vi.fn(processStarter(process.env));
  const mode = new SpawnMode({
    command: gameCommand(directory),
    marker,
    stopMs: 10_000,
    backoff: { firstMs: 1, factor: 1, longestMs: 1, steadyMs: 1 },
    random: () => 0,
    startProcess: starts,
    clock,
    retryClock: clock,
    log: quiet,
  });
  return { clock, marker, starts, mode, bridge: buildBridge({ mode, clock }) };
}

/** Until a look at the disk that the clock has set off has had its consequence. */
function untilStarts({ clock, starts }: ReturnType<typeof stage>, times: number): Promise<void> {
  return vi.waitFor(() => {
    clock.advance(spawnLimits.markerMs);
    expect(starts).toHaveBeenCalledTimes(times);
  }, patience);
}

it('starts the game only once the marker of its files is there, and says so until then', async () => {
  using directory = temporaryDirectory();
  const on = stage(directory.path);
  await on.bridge.start();
  const { link } = await stateThat(on.bridge, (state) => state.link.status === 'waiting');
  expect(link.reason).toContain(on.marker);
  expect(link.remedy).toContain('GAME_MARKER=');
  for (let look = 0; look < 3; look += 1) {
    on.clock.advance(spawnLimits.markerMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(on.starts).not.toHaveBeenCalled();
  writeFileSync(on.marker, '');
  await untilStarts(on, 1);
  await stateThat(on.bridge, (state) => state.link.status === 'live');
  await on.bridge.stop();
});

it('waits again when the game has ended while its files are being replaced', async () => {
  using directory = temporaryDirectory();
  const on = stage(directory.path);
  writeFileSync(on.marker, '');
  await on.bridge.start();
  await stateThat(on.bridge, (state) => state.link.status === 'live');
  rmSync(on.marker);
  process.kill(on.mode.pid ?? Number.NaN, 'SIGKILL');
  await stateThat(on.bridge, (state) => state.link.status === 'restarting');
  // The end of the process is heard a moment before or after the end of its stream.
  await vi.waitFor(() => {
    on.clock.advance(spawnLimits.markerMs);
    expect(on.bridge.state.link.status).toBe('waiting');
  }, patience);
  expect(on.starts).toHaveBeenCalledTimes(1);
  writeFileSync(on.marker, '');
  await untilStarts(on, 2);
  await on.bridge.stop();
});

it('stops while it waits', async () => {
  using directory = temporaryDirectory();
  const on = stage(directory.path);
  await on.bridge.start();
  await on.bridge.stop();
  writeFileSync(on.marker, '');
  on.clock.advance(spawnLimits.markerMs);
  await new Promise((resolve) => setImmediate(resolve));
  expect(on.starts).not.toHaveBeenCalled();
});
