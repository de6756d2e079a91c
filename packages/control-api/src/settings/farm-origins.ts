import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import type { Logger } from '@steward/service-kit/log/logger';
import { farmId } from '@steward/shared/bridge/hello';
import { farmCreationSettings, type GameSettings } from '@steward/shared/bridge/settings';
import { z } from 'zod';

/** Farms that are remembered; a server has a few. */
const mostFarms = 100;

const origin = z.object({ farmId, madeFrom: farmCreationSettings });
const document = z.object({ farms: z.array(origin) });

type Origin = z.infer<typeof origin>;

/**
 * What each farm was made from, over restarts: no game tells, so it is what the game had been told when the farm was
 * first seen. The farm that was seen last stands first.
 */
export class FarmOrigins {
  readonly #path: string;
  readonly #log: Pick<Logger, 'warn'>;
  #farms: readonly Origin[];
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, log: Pick<Logger, 'warn'>, farms: readonly Origin[]) {
    this.#path = path;
    this.#log = log;
    this.#farms = farms;
  }

  static async load(path: string, log: Pick<Logger, 'warn'>): Promise<FarmOrigins> {
    try {
      const { farms } = document.parse(JSON.parse(await readFile(path, 'utf8')));
      return new FarmOrigins(path, log, farms);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
        log.warn({ err: error }, `${path} cannot be read: what farms were made from is noted anew`);
      return new FarmOrigins(path, log, []);
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
  saw(id: string, told: GameSettings['game']): void {
    if (this.#farms[0]?.farmId === id) return;
    const known = this.#farms.find((farm) => farm.farmId === id) ?? { farmId: id, madeFrom: told };
    this.#farms = [known, ...this.#farms.filter((farm) => farm !== known)].slice(0, mostFarms);
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await replaceFile(this.#path, `${JSON.stringify({ farms: this.#farms }, null, 2)}\n`);
    } catch (error) {
      this.#log.warn({ err: error }, `${this.#path} cannot be written`);
    }
  }
}
