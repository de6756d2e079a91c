import { dirname } from 'node:path';
import { JsonFormat } from '@steward/service-kit/files/json-format';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { readRegular } from '@steward/service-kit/files/read-regular';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import type { Logger } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { farmId } from '@steward/shared/bridge/hello';
import { defaultSettings, farmCreationSettings, type GameSettings } from '@steward/shared/bridge/settings';
import { z } from 'zod';
import type { NewerFiles } from '../store/directory/newer-files.ts';

/** Farms that are remembered; a server has a few. */
const mostFarms = 100;

/** A farm is older than some settings: what it was made from, it was made from with their defaults. */
const madeFrom = z
  .record(z.string(), z.unknown())
  .transform((kept) => ({ ...defaultSettings.game, ...kept }))
  .pipe(farmCreationSettings);

const origin = z.object({ farmId, madeFrom });

type Origin = z.infer<typeof origin>;

const currentVersion = 1;

export const farmOriginsFormat = new JsonFormat(
  currentVersion,
  // Files of this kind once named no version.
  z.object({ version: z.literal(currentVersion).optional(), farms: z.array(origin) }),
);

/**
 * What each farm was made from, over restarts: no game tells, so it is what the game had been told when the farm was
 * first seen. The farm that was seen last stands first.
 */
export class FarmOrigins {
  readonly #path: string;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #newerFiles: NewerFiles;
  #isWritten = true;
  #farms: readonly Origin[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, log: Pick<Logger, 'warn'>, newerFiles: NewerFiles) {
    this.#path = path;
    this.#log = log;
    this.#newerFiles = newerFiles;
  }

  async load(): Promise<void> {
    const path = this.#path;
    const read = await readRegular(path).then(
      (bytes) => farmOriginsFormat.read(bytes.toString()),
      (error: unknown) => ({ kind: 'absent', error }) as const,
    );
    if (read.kind === 'content') this.#farms = read.content.farms;
    else if (read.kind === 'newer') {
      this.#newerFiles.met(path, read);
      this.#isWritten = false;
    } else if (read.kind === 'corrupt' || !isMissing(read.error)) {
      const why = read.kind === 'absent' ? { err: read.error } : {};
      this.#log.warn(why, `${path} cannot be read: the settings of each farm are recorded again`);
    }
  }

  /** What the farm was made from that was seen last. */
  get current(): GameSettings['game'] | undefined {
    return this.#farms[0]?.madeFrom;
  }

  /** Resolves when everything that was seen is on the disk. */
  get written(): Promise<void> {
    return this.#writing;
  }

  /** A farm is there, whose game had been told this. */
  saw(id: string, madeFrom: GameSettings['game']): void {
    if (this.#farms[0]?.farmId === id) return;
    const known = this.#farms.find((farm) => farm.farmId === id) ?? { farmId: id, madeFrom };
    this.#farms = [known, ...this.#farms.filter((farm) => farm !== known)].slice(0, mostFarms);
    if (this.#isWritten) this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    try {
      await makeDirectory(dirname(this.#path));
      await replaceFile(
        this.#path,
        `${JSON.stringify({ version: currentVersion, farms: this.#farms }, null, 2)}\n`,
      );
    } catch (error) {
      this.#log.warn({ err: error }, `${this.#path} cannot be written`);
    }
  }
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
