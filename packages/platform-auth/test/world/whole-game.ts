import { writeFileSync } from 'node:fs';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { filterVersion } from '../../src/download/filter/filter-table.ts';
import { makeMarker, printMarker } from '../../src/download/kept/marker.ts';
import { Places } from '../../src/download/names/places.ts';

/** A GAME_DIR in which there is nothing left to download, for tests that are about something else. */
export function wholeGame(): ReturnType<typeof temporaryDirectory> {
  const directory = temporaryDirectory();
  const marker = makeMarker({
    apps: [],
    languages: [],
    keepFiles: [],
    filterVersion,
    totalFiles: 0,
    totalBytes: 0,
    downloadedAt: '2026-11-21T06:30:00.000Z',
  });
  writeFileSync(new Places(directory.path).marker, printMarker(marker));
  return directory;
}
