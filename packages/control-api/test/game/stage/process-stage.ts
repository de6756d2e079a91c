import { existsSync, readFileSync } from 'node:fs';
import type { ManualClock } from '@steward/testing/manual-clock';
import { scriptedGame } from '@steward/testing/program';
import type { GameBridge } from '../../../src/game/game-bridge.ts';
import type { StartProcess } from '../../../src/game/modes/game-process.ts';
import { restartBackoff, SpawnMode } from '../../../src/game/modes/spawn-mode.ts';
import type { BridgeState } from '../../../src/game/state/bridge-state.ts';
import { quiet } from './stage.ts';

export function gameCommand(directory: string): string[] {
  return [
    process.execPath,
    scriptedGame,
    '--save',
    `${directory}/farm.json`,
    '--trace',
    `${directory}/trace`,
  ];
}

/** The scripted game under a clock that the test moves. */
export function spawnMode(clock: ManualClock, directory: string, startProcess: StartProcess): SpawnMode {
  return new SpawnMode({
    command: gameCommand(directory),
    stopMs: 10_000,
    backoff: restartBackoff,
    random: () => 0,
    startProcess,
    clock,
    retryClock: clock,
    log: quiet,
  });
}

/** The first state, now or later, that is as wanted. */
export function stateThat(
  bridge: Pick<GameBridge, 'state' | 'follow'>,
  wanted: (state: BridgeState) => boolean,
): Promise<BridgeState> {
  return new Promise((resolve) => {
    if (wanted(bridge.state)) {
      resolve(bridge.state);
      return;
    }
    const end = bridge.follow((state) => {
      if (!wanted(state)) return;
      end();
      resolve(state);
    });
  });
}

/** What a game's trace says over all its runs: every application, and those in the farm as it stands. */
export function traced(directory: string): { applications: string[]; standing: ReadonlySet<string> } {
  const path = `${directory}/trace`;
  const applications: string[] = [];
  let saved = new Set<string>();
  let standing = new Set<string>();
  for (const line of existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
    const [what, command = ''] = line.split(' ');
    if (what === 'start') standing = new Set(saved);
    if (what === 'save') saved = new Set(standing);
    if (what !== 'apply') continue;
    applications.push(command);
    standing.add(command);
  }
  return { applications, standing };
}
