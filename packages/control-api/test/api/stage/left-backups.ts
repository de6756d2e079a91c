import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupFileEnds } from '@steward/shared/backups';
import type { PackJob } from '../../../src/backups/archive/archivist.ts';
import { oneArchivist } from '../../backups/stage/one-archivist.ts';

export interface LeftBackup extends Partial<PackJob['about']> {
  readonly id: string;
}

export const farmFolder = 'Sunnybrook_398472611';

/** Where a stage in this directory has its saves and its backups. */
export function backupPlaces(directory: string) {
  return { GAME_SAVES_DIR: join(directory, 'saves'), BACKUP_DIR: join(directory, 'backups') };
}

/** Leaves a save behind, and backups of it, as earlier processes would. */
export async function leaveBackups(directory: string, backups: readonly LeftBackup[]): Promise<void> {
  const { GAME_SAVES_DIR, BACKUP_DIR } = backupPlaces(directory);
  leaveSave(GAME_SAVES_DIR);
  mkdirSync(BACKUP_DIR, { recursive: true, mode: 0o700 });
  for (const backup of backups) {
    const path = join(BACKUP_DIR, `${backup.id}${backupFileEnds}`);
    writeFileSync(path, await packed(backup), { mode: 0o600 });
  }
}

/** A save as the game writes one. */
export function leaveSave(saves: string, { name = farmFolder, day = 4, padding = '' } = {}): void {
  const folder = join(saves, name);
  mkdirSync(folder, { recursive: true });
  const [farmName = ''] = name.split('_');
  const date = `<dayOfMonthForSaveGame>${day}</dayOfMonthForSaveGame><seasonForSaveGame>0</seasonForSaveGame><yearForSaveGame>1</yearForSaveGame>`;
  const farmer = `<name>Host</name><farmName>${farmName}</farmName>${date}`;
  writeFileSync(join(folder, 'SaveGameInfo'), `<?xml version="1.0"?><Farmer>${farmer}</Farmer>`);
  writeFileSync(
    join(folder, name),
    `<?xml version="1.0"?><SaveGame><player>${farmer}</player><!--${padding}--></SaveGame>`,
  );
}

const known = new Map<string, Promise<Buffer>>();

/** A thread for each stage would take longer than the stage. */
function packed(backup: LeftBackup): Promise<Buffer> {
  const key = JSON.stringify(backup);
  const bytes = known.get(key) ?? pack(backup);
  known.set(key, bytes);
  return bytes;
}

async function pack(backup: LeftBackup): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'left-backup-'));
  try {
    const saves = join(directory, 'saves');
    leaveSave(saves);
    const to = join(directory, `${backup.id}${backupFileEnds}`);
    await oneArchivist.pack({
      to,
      sources: [{ into: 'saves', path: saves }],
      about: { ...usual, madeAt: timeOf(backup.id), ...backup },
    });
    return readFileSync(to);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** An id says when. */
function timeOf(id: string): string {
  const [, year, month, day, hour, minute] = /^(....)(..)(..)T(..)(..)/.exec(id) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:00.000Z`;
}

const usual = {
  madeBy: '0.1.0',
  why: 'asked',
  keep: false,
  all: false,
  farm: {
    farmId: farmFolder,
    farmName: 'Sunnybrook',
    day: 4,
    season: 'spring',
    year: 1,
    saveGeneration: 12,
  },
  parts: ['saves'],
} as const satisfies Omit<PackJob['about'], 'id' | 'madeAt'>;
