import type { DownloadAnswer } from '@steward/shared/sidecar/download';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

it('are told while the disk of the game files hangs, but for those of the game files', async () => {
  const clock = new ManualClock();
  const since = '2026-11-21T06:30:00.000Z';
  let gameFiles = new Promise<DownloadAnswer>(() => {});
  const { registry } = createMetrics({
    instance: '',
    version: '1.0.0',
    sessionStatus: () => ({ state: 'logged-in', reason: 'Logged in', since }),
    isContended: () => false,
    gameFiles: () => gameFiles,
    clock,
  });
  const page = registry.metrics();
  clock.advance(2_000);
  expect(await page).toContain('steward_platform_session_state{state="logged-in"} 1');
  expect(await page).not.toContain('steward_platform_game_files_state{');
  gameFiles = Promise.resolve({ state: 'whole', since });
  expect(await registry.metrics()).toContain('steward_platform_game_files_state{state="whole"} 1');
});
