import type { PlayerTarget } from '@steward/shared/bridge/commands';
import { capital } from '@steward/shared/capital';
import type { z } from 'zod';
import { int64Parameter, textParameter } from './parameter.ts';

const longestName = 200;

const either = 'exactly one of name and playerId must be given';

/** One person, by `name` or by `playerId`. */
export const targetParameters = {
  name: textParameter({
    longest: longestName,
    meaning: `The name, in any case; it may lag behind a join. ${capital(either)}.`,
    example: 'Ann',
  }).optional(),
  playerId: int64Parameter({
    meaning: `The stable id, better for automation. ${capital(either)}.`,
    example: '620826087702429092',
  }).optional(),
};

interface Given {
  readonly name?: string | undefined;
  readonly playerId?: string | undefined;
}

/** The rule that both together, or neither, is an error. */
export function exactlyOneTarget(given: z.core.ParsePayload<Given>): void {
  const { name, playerId } = given.value;
  if ((name === undefined) !== (playerId === undefined)) return;
  const found = name === undefined ? 'neither is there' : 'both are there';
  given.issues.push({
    code: 'custom',
    message: `${either}; ${found}`,
    input: given.value,
  });
}

export function targetOf({ name, playerId }: Given): PlayerTarget {
  if (playerId !== undefined) return { playerId };
  return { name: name ?? '' };
}
