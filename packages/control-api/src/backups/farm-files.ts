import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@steward/service-kit/process/errors';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import { farmId } from '@steward/shared/bridge/hello';
import { Problem } from '@steward/shared/problems/problem';
import type { Source } from './archive/archivist.ts';

type Farm = BackupFacts['farm'];

/** What a save says of its farm; undefined for a folder that is none. */
export type ReadSave = (folder: string) => Promise<Farm | undefined>;

export interface FarmFilesParts {
  readonly savesDirectory: string;
  readonly stateDirectory: string;
  /** Undefined where it is not this service's own. */
  readonly settingsPath: string | undefined;
  readonly readSave: ReadSave;
}

/** Everything of the farm that lies in files, and is copied as it lies there. */
export class FarmFiles {
  readonly #parts: FarmFilesParts;

  constructor(parts: FarmFilesParts) {
    this.#parts = parts;
  }

  /** What is there to be copied; without a save there is no farm. */
  async sources(): Promise<readonly Source[]> {
    const { savesDirectory, stateDirectory, settingsPath } = this.#parts;
    await this.#folders();
    const others: Source[] = [
      { into: 'owners', path: join(stateDirectory, 'farms') },
      ...(settingsPath === undefined ? [] : [{ into: 'settings/server-settings.json', path: settingsPath }]),
    ];
    const there = await Promise.all(
      others.map(async (source) => ((await isThere(source.path)) ? [source] : [])),
    );
    return [{ into: 'saves', path: savesDirectory }, ...there.flat()];
  }

  /** The farm that the game has, or else the one that was saved last. */
  async farm(current: Pick<Farm, 'farmId' | 'saveGeneration'> | undefined): Promise<Farm> {
    const folders = await this.#folders();
    const [newest] = folders.toSorted((one, other) => other.savedAt - one.savedAt);
    const name = folders.find((folder) => folder.name === current?.farmId)?.name ?? newest?.name ?? '';
    const saved = (await this.#parts.readSave(join(this.#parts.savesDirectory, name))) ?? {};
    const id = current?.farmId ?? (farmId.safeParse(name).success ? name : undefined);
    return { ...(id === undefined ? {} : { farmId: id }), ...saved, ...current };
  }

  /** The folders of saves, each with when something in it was written last. */
  async #folders(): Promise<readonly { readonly name: string; readonly savedAt: number }[]> {
    const { savesDirectory } = this.#parts;
    const found = await readdir(savesDirectory, { withFileTypes: true }).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw new Problem(
        'backup-failed',
        `GAME_SAVES_DIR cannot be read (${errorCode(error)}): let the service read ${savesDirectory}`,
      );
    });
    // What a restore lays beside the saves is hidden, and none.
    const folders = found
      .filter((each) => each.isDirectory() && !each.name.startsWith('.'))
      .map(({ name }) => name);
    if (folders.length === 0)
      throw new Problem(
        'no-save',
        `There is no save in ${savesDirectory}: the game saves when a day ends. Where it has saved, set GAME_SAVES_DIR to the directory that has a folder for each save`,
      );
    return Promise.all(
      folders.map(async (name) => ({ name, savedAt: await newestIn(join(savesDirectory, name)) })),
    );
  }
}

/** How many bytes there are to be copied, as far as they can be seen. */
export async function bytesOf(sources: readonly Source[]): Promise<number> {
  let bytes = 0;
  for (const { path } of sources) {
    const below = await readdir(path, { recursive: true }).catch(() => []);
    for (const name of ['', ...below])
      bytes += await stat(join(path, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      );
  }
  return bytes;
}

async function newestIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    ['', ...names].map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
