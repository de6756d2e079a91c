import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';

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
