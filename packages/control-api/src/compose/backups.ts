import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { Archivist } from '../backups/archive/archivist.ts';
import { Backups } from '../backups/backups.ts';
import { refuseWithin, SavesPlace } from '../backups/places-apart.ts';
import { foldersOf } from '../backups/restore/restore-plan.ts';
import { recordName } from '../backups/restore/restore-record.ts';
import { Restores, type RestoresParts } from '../backups/restore/restores.ts';
import type { ControlApiConfiguration } from '../configuration.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { listsName } from '../moderation/lists-register.ts';
import { farmsName } from '../ownership/ownership-file.ts';
import { copyInThread } from '../store/copy-in-thread.ts';
import { databaseName } from '../store/store.ts';

export interface ComposeBackupsParts extends Pick<RestoresParts, 'settings' | 'owners' | 'bans'> {
  readonly configuration: ControlApiConfiguration;
  readonly version: string;
  readonly bridge: GameBridge;
  readonly archivist: Archivist;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is in each backup, and what has to lie elsewhere, by the names that an operator knows. */
export function placesOf({ STATE_DIR, GAME_SAVES_DIR, BACKUP_DIR }: ControlApiConfiguration) {
  return [
    { GAME_SAVES_DIR, 'the owners in STATE_DIR': join(STATE_DIR, farmsName) },
    { BACKUP_DIR, STATE_DIR },
  ] as const;
}

/** Backups of the farm that the configuration names, and the way back to them. */
export function composeBackups(parts: ComposeBackupsParts) {
  const { configuration, version, bridge, archivist, settings, owners, bans, clock, log } = parts;
  const { STATE_DIR, SETTINGS_PATH, GAME_SAVES_DIR: savesDirectory, BACKUP_DIR: directory } = configuration;
  const place = new SavesPlace(savesDirectory);
  const savesRoot = () => place.root();
  const backups = new Backups({
    directory,
    savesDirectory,
    savesRoot,
    stateDirectory: STATE_DIR,
    ownersDirectory: join(STATE_DIR, farmsName),
    bansPath: join(STATE_DIR, listsName),
    // The existing server's own is none of ours.
    settingsPath: configuration.GAME_BRIDGE === 'existing' ? undefined : SETTINGS_PATH,
    rule: configuration.BACKUP_KEEP,
    beforeDelete: configuration.BACKUP_BEFORE_DELETE,
    version,
    bridge,
    archivist,
    copyDatabase: (copy, signal) => copyInThread({ ...copy, from: join(STATE_DIR, databaseName) }, signal),
    clock,
    log,
  });
  const targets = {
    saves: savesDirectory,
    savesRoot,
    owners: join(STATE_DIR, farmsName),
    settings: SETTINGS_PATH,
    bans: join(STATE_DIR, listsName),
  };
  const restores = new Restores({
    backups,
    archivist,
    bridge,
    record: join(STATE_DIR, recordName),
    targets: backups.isOn ? targets : undefined,
    folders: () => foldersOf({ ...targets, database: join(STATE_DIR, databaseName) }),
    settings,
    owners,
    bans,
    clock,
    log,
  });
  /** To be called before a game can come, and anything is written. */
  const checkPlaces = async () => {
    if (!backups.isOn) return;
    await refuseWithin(...placesOf({ ...configuration, GAME_SAVES_DIR: await place.note() }));
  };
  return { backups, restores, checkPlaces };
}
