import { ownershipFormat } from '@steward/control-api/ownership/ownership-map';
import { farmOriginsFormat } from '@steward/control-api/settings/farm-origins';
import { settingsVersions } from '@steward/control-api/settings/settings-versions';
import { operationsFormat } from '@steward/control-api/store/operations-format';
import { recordFormat } from '@steward/platform-auth/download/kept/installed';
import { journalFormat } from '@steward/platform-auth/download/kept/journal';
import { markerFormat } from '@steward/platform-auth/download/kept/marker';
import { sessionFormat } from '@steward/platform-auth/tokens/session-file';
import type { FileVersions } from '@steward/service-kit/files/file-versions';

export type KeptFile = Omit<FileVersions<unknown>, 'migrations'>;

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
