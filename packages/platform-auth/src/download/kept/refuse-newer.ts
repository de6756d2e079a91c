import type { Places } from '../names/places.ts';
import { recordFormat } from './installed.ts';
import { journalFormat } from './journal.ts';
import { newerFile, readKept } from './kept-file.ts';
import { markerFormat } from './marker.ts';

/** Throws where a newer version has been at work in GAME_DIR: what it left is not for this one to change. */
export async function refuseNewer(places: Places): Promise<void> {
  const files = [
    [journalFormat, places.journal],
    [journalFormat, places.stagedBuild],
    [markerFormat, places.marker],
    [recordFormat, places.record],
  ] as const;
  for (const [format, path] of files) {
    const read = await readKept<unknown>(format, path);
    if (read.kind === 'newer') throw newerFile(path, read);
  }
}
