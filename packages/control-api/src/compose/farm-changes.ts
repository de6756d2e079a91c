import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { Backups } from '../backups/backups.ts';
import { DrainFile, drainFileName } from '../drain/drain-file.ts';
import { Drains } from '../drain/drains.ts';
import { usherOver } from '../drain/usher.ts';
import { Farms } from '../farms/farms.ts';
import { announcerOver } from '../game/announcer.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { Screenshots } from '../game/screenshots.ts';
import type { Settings } from '../settings/settings.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { NewerFiles } from '../store/directory/newer-files.ts';
import { GameUpdates } from '../updates/game-updates.ts';

export interface ComposeFarmChangesParts {
  readonly stateDirectory: string;
  readonly bridge: GameBridge;
  readonly backups: Backups;
  readonly settings: Settings;
  readonly sidecar: SidecarClient | undefined;
  readonly newerFiles: NewerFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** What sees players off and puts another farm, or another build of the game, in the place of theirs, and shows what there is to see. */
export function composeFarmChanges(parts: ComposeFarmChangesParts) {
  const { stateDirectory, bridge, backups, settings, sidecar, newerFiles, clock, log } = parts;
  const announcer = announcerOver(bridge);
  const drains = new Drains({
    bridge,
    usher: usherOver(bridge, announcer),
    file: new DrainFile(join(stateDirectory, drainFileName), { newerFiles, clock, log }),
    clock,
    log,
  });
  const farms = new Farms({
    bridge,
    closedWhile: (...asked) => drains.closedWhile(...asked),
    backups,
    settings,
    clock,
  });
  const updates = new GameUpdates({
    bridge,
    sidecar,
    closedWhile: (...asked) => drains.closedWhile(...asked),
    backups,
    clock,
  });
  return { announcer, drains, farms, updates, screenshots: new Screenshots(bridge, clock) };
}
