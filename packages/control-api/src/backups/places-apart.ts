import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import { Problem } from '@steward/shared/problems/problem';

/**
 * Refuses what would have each backup copy all the others, change while it is made, or hold the keys, and each restore write over them:
 * of `copied`, as each is called, everything is in a backup. These may lie in `apart`, but none of `apart` in them.
 */
export async function refuseWithin(
  copied: Readonly<Record<string, string>>,
  apart: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [outer, around] of given(copied))
    for (const [inner, path] of given(apart)) {
      if (!`${await realPathOf(path)}${sep}`.startsWith(`${await realPathOf(around)}${sep}`)) continue;
      throw new OperatorError(
        `${inner}: ${path} is inside ${around} (${outer}), and everything in there is part of each backup: choose another directory`,
      );
    }
}

/**
 * Where GAME_SAVES_DIR led when the service started. A game that writes around it can put a link in its place, which would lead each
 * backup and each restore to whatever this service can reach, its own database among it.
 */
export class SavesPlace {
  readonly #path: string;
  #atStart: Promise<string> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** To be called before a game can come. */
  note(): Promise<string> {
    this.#atStart ??= realPathOf(this.#path);
    return this.#atStart;
  }

  /** The path without links; throws the Problem where it is another now. */
  async root(): Promise<string> {
    const atStart = await this.note();
    const now = await realPathOf(this.#path);
    if (now === atStart) return atStart;
    throw new Problem(
      'backup-failed',
      `GAME_SAVES_DIR: ${this.#path} leads to ${now} now, and led to ${atStart} when the service started. A game that writes there may have made a link of it: if you did, restart the service. Nothing was copied or changed`,
    );
  }
}

function given(paths: Readonly<Record<string, string>>) {
  return Object.entries(paths).filter(([, path]) => path !== '');
}

/** Also of what is not there yet. */
async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(whole) === whole) return whole;
    return join(await realPathOf(dirname(whole)), basename(whole));
  }
}
