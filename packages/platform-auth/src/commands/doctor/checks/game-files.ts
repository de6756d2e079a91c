import { dirname } from 'node:path';
import { counted, inBytes } from '@steward/service-kit/text/amounts';
import type { PlatformAuthConfiguration } from '../../../configuration.ts';
import { whoHolds } from '../../../download/disk/lock.ts';
import { lookAt } from '../../../download/disk/real-tree.ts';
import { filterVersion } from '../../../download/filter/filter-table.ts';
import { type InstalledRecord, readInstalled } from '../../../download/kept/installed.ts';
import { isExistingServers, type Marker, readMarker } from '../../../download/kept/marker.ts';
import { refuseNewer } from '../../../download/kept/refuse-newer.ts';
import { Places } from '../../../download/names/places.ts';
import { DownloadProblem } from '../../../download/problems/problem.ts';
import { failed, ok, type Result, warning } from '../check-finding.ts';
import type { Check } from '../examination.ts';

const limitMs = 10_000;
const download = 'Run `platform-auth download`';

/** Who mends what is found. */
const byItself = {
  missing: 'missing or incomplete',
  download: `${download}, or let the service do it`,
  complete: `${download}, or start the service: either completes it`,
  verify: 'Run `platform-auth download --verify`',
  existing:
    'Nothing to do. To verify and update them, stop the game, run `platform-auth download`, and start the game',
  asConfigured: `${download} to match the configuration`,
};

const whereItIsWritten = 'where GAME_DIR is writable';

const byAnother: typeof byItself = {
  missing: 'missing or incomplete, and PLATFORM_DOWNLOAD is off: another service downloads them',
  download: `Let it finish, or run \`platform-auth download\` ${whereItIsWritten}`,
  complete: `Start the service that downloads them, or run \`platform-auth download\` ${whereItIsWritten}`,
  verify: `Run \`platform-auth download --verify\` ${whereItIsWritten}`,
  existing: `Nothing to do. To verify and update them, stop the game, and run \`platform-auth download\` ${whereItIsWritten}`,
  asConfigured: 'Give both services the same PLATFORM_KEEP_LANGUAGES and PLATFORM_KEEP_FILES',
};

/** Whether the game is there as it was published, by the sizes of its files, and as it is configured. Asks nobody else. */
export const gameFilesCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, true> = {
  name: 'game-files',
  title: 'Game files',
  limitMs,
  async examine({ configuration }) {
    const places = new Places(configuration.GAME_DIR);
    const newer = await newerProblem(places);
    // It names the file, and what is printed here is pasted into issues: no place of the operator's is to be in it.
    if (newer !== undefined)
      return failed('disk', newer.reason.replaceAll(dirname(places.marker), 'GAME_DIR'), newer.remedy);
    const marker = await readMarker(places);
    const brings = configuration.PLATFORM_DOWNLOAD === 'on' ? byItself : byAnother;
    if (marker === undefined) return notWhole(places, brings);
    const { totalFiles, totalBytes } = marker;
    const lost = await lostFiles(places, await readInstalled(places));
    if (lost > 0)
      return failed(
        'disk',
        `${lost} of ${counted(totalFiles, 'file')} are gone or have another size`,
        brings.verify,
      );
    if (!isAsConfigured(marker, configuration))
      return warning(
        'complete, but downloaded for other languages, files or rules than now',
        brings.asConfigured,
        true,
      );
    return ok(`complete, ${counted(totalFiles, 'file')} of ${inBytes(totalBytes)}`, true);
  },
};

async function newerProblem(places: Places): Promise<DownloadProblem | undefined> {
  try {
    await refuseNewer(places);
    return undefined;
  } catch (error) {
    return error instanceof DownloadProblem ? error : undefined;
  }
}

async function notWhole(places: Places, brings: typeof byItself): Promise<Result<true>> {
  if (await isExistingServers(places))
    return warning(
      'complete, brought by the existing server’s own downloader, and not updated by this service',
      brings.existing,
      true,
    );
  if ((await whoHolds(places)) !== undefined)
    return warning('a download is running', 'Wait until it is done', true);
  if ((await lookAt(places.journal)) !== undefined)
    return warning('an update was interrupted during its installation', brings.complete, true);
  return warning(brings.missing, brings.download, true);
}

async function lostFiles(places: Places, { files }: InstalledRecord): Promise<number> {
  let lost = 0;
  for (const [name, { size }] of Object.entries(files)) {
    const found = await lookAt(places.inTree(name));
    const isThere = found?.isFile() && (found.size === size || (await isRenamed(places, name, size)));
    if (!isThere) lost += 1;
  }
  return lost;
}

/** SMAPI’s installer, which JunimoServer runs, renames the game’s launcher so and puts its own in the place. */
async function isRenamed(places: Places, name: string, size: number): Promise<boolean> {
  const found = await lookAt(places.inTree(`${name}-original`));
  return found?.isFile() === true && found.size === size;
}

function isAsConfigured(
  marker: Marker,
  { PLATFORM_KEEP_LANGUAGES, PLATFORM_KEEP_FILES }: PlatformAuthConfiguration,
): boolean {
  return (
    marker.filterVersion === filterVersion &&
    isSame(marker.languages, PLATFORM_KEEP_LANGUAGES.kept) &&
    isSame(marker.keepFiles, PLATFORM_KEEP_FILES)
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}
