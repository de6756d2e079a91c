import { rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import { timestampOf } from '@steward/shared/wire-values';
import { nameProblem } from './archive/archive-format.ts';
import type { Archivist } from './archive/archivist.ts';
import { partOf } from './archive/leftovers.ts';
import { type BackupDirectory, factsOf } from './backup-directory.ts';
import { cannotBeRead, checkSave, findSaves, isAbsent, isSave, SaveError } from './saves.ts';
import { confirmName, savesInZip, unzipSave } from './zipped-saves.ts';

export interface ImportParts {
  /** A folder or a zip. */
  readonly from: string;
  /** Which one, where there are several. */
  readonly save: string | undefined;
  readonly directory: BackupDirectory;
  readonly archivist: Pick<Archivist, 'pack'>;
  readonly version: string;
  readonly now: Date;
}

export interface Imported {
  readonly backup: BackupFacts;
  readonly leftOut: readonly string[];
}

/** Makes a backup of a save that was made elsewhere; throws a SaveError that says what is wrong with it, and leaves nothing then. */
export async function importSave(parts: ImportParts): Promise<Imported> {
  const { directory, archivist, version, now } = parts;
  const from = resolve(parts.from);
  const found = await stat(from).catch((error: unknown) =>
    isAbsent(error) ? undefined : cannotBeRead(error),
  );
  if (found === undefined || !(found.isDirectory() || found.isFile()))
    throw new SaveError('there is no such folder or zip');
  const draft = await directory.draft(now);
  const unzipped = partOf(`${draft.path}.zip`);
  try {
    const chosen = found.isDirectory()
      ? theOne(await savesIn(from, parts.save).catch(cannotBeRead), parts.save)
      : theOne(await savesInZip(from), parts.save);
    const folder = found.isDirectory() ? chosen : join(unzipped, basename(chosen));
    if (!found.isDirectory()) await unzipSave(from, chosen, folder);
    const name = basename(folder);
    if (nameProblem(name) !== undefined) throw new SaveError(`${JSON.stringify(name)} ${nameProblem(name)}`);
    const { farm } = await checkSave(folder);
    if (!found.isDirectory()) await confirmName(from, chosen, farm.farmName);
    const { manifest, bytes } = await archivist.pack({
      to: draft.path,
      sources: [{ into: `saves/${name}`, path: folder }],
      about: {
        id: draft.id,
        madeAt: timestampOf(now),
        madeBy: version,
        why: 'imported',
        // Somebody brought it here, and no rule knows how old the farm is.
        keep: true,
        farm,
        parts: ['saves'],
        all: false,
      },
    });
    return { backup: factsOf(manifest, bytes), leftOut: manifest.leftOut };
  } finally {
    await rm(unzipped, { recursive: true, force: true });
  }
}

async function savesIn(folder: string, wanted: string | undefined): Promise<readonly string[]> {
  if (await isSave(folder)) return [folder];
  // One that cannot be read is passed over beside one that can be, but not where it is the one that is wanted.
  if (wanted !== undefined && nameProblem(wanted) === undefined) await isSave(join(folder, wanted));
  return findSaves(folder);
}

function theOne(saves: readonly string[], wanted: string | undefined): string {
  const short = saves.map((path) => basename(path));
  // In a zip, several folders may each have one of the same name: then it is the path that says which.
  const names = (new Set(short).size === short.length ? short : saves).join(', ');
  const whole = saves.filter((path) => path === wanted);
  const fitting =
    whole.length > 0 ? whole : saves.filter((path) => wanted === undefined || basename(path) === wanted);
  const [one, ...others] = fitting;
  if (one !== undefined && others.length === 0) return one;
  if (saves.length === 0)
    throw new SaveError(
      'there is no save in it: a save is a folder <farm>_<number> with a file of the same name and one named SaveGameInfo',
    );
  throw new SaveError(
    one === undefined
      ? `there is no save ${wanted} in it, only ${names}`
      : `there are several saves in it: choose one with --save: ${names}`,
  );
}
