import { ownershipFormat } from '@steward/control-api/ownership/ownership-map';
import { farmOriginsFormat } from '@steward/control-api/settings/farm-origins';
import { settingsVersions } from '@steward/control-api/settings/settings-versions';
import { operationsFormat } from '@steward/control-api/store/operations-format';
import { filterTable } from '@steward/platform-auth/download/filter/filter-table';
import { recordFormat } from '@steward/platform-auth/download/kept/installed';
import { journalFormat } from '@steward/platform-auth/download/kept/journal';
import { markerFormat } from '@steward/platform-auth/download/kept/marker';
import { sessionFormat } from '@steward/platform-auth/tokens/session-file';
import type { FileVersions } from '@steward/service-kit/files/file-versions';
import { asCode, type Places, table } from './places.ts';

type KeptFile = Omit<FileVersions<unknown>, 'migrations'>;

/** Every file that a service reads back after a restart or an upgrade, by what its samples are called in `test/kept-files`. */
export const keptFiles: ReadonlyMap<string, KeptFile> = new Map<string, KeptFile>([
  ['ownership-map', ownershipFormat.versions],
  ['settings', settingsVersions],
  ['operations', operationsFormat.versions],
  ['farm-origins', farmOriginsFormat.versions],
  ['session', sessionFormat.versions],
  ['game-marker', markerFormat.versions],
  ['game-record', recordFormat.versions],
  ['game-journal', journalFormat.versions],
]);

export const upgradePlaces: Places = {
  'table of versions': table(
    ['File', 'Where', 'Writes', 'Reads', 'Met by an older version'],
    [...keptFiles.values()].map(({ name, place, current, unversioned, whenNewer }) => {
      const versions = current === 1 ? '1' : `1 to ${current}`;
      const reads = unversioned === undefined ? versions : `${versions}, and without one`;
      return [name, asCode(place), current, reads, whenNewer];
    }),
  ),
};

export const downloadPlaces: Places = {
  'filter table': table(
    ['Left out', 'Why', 'Kept by'],
    filterTable.map(({ what, reason, language }) => [
      what,
      reason,
      asCode(language ?? 'PLATFORM_KEEP_FILES'),
    ]),
  ),
};
