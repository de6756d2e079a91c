import type { CommandName, commands, PlayerTarget } from '@steward/shared/bridge/commands';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { AppliedOutcome, RefusalCode, RefusedOutcome } from '@steward/shared/bridge/outcome';
import type { z } from 'zod';
import type { Farm } from '../farm/farm.ts';

export type Outcome = AppliedOutcome | RefusedOutcome;

export function applied(
  before: AppliedOutcome['before'],
  after: AppliedOutcome['after'],
  subject?: AppliedOutcome['subject'],
): AppliedOutcome {
  return { outcome: 'applied', before, after, ...(subject === undefined ? {} : { subject }) };
}

export function notApplied(
  code: RefusalCode,
  message: string,
  matches?: RefusedOutcome['matches'],
): RefusedOutcome {
  return { outcome: 'refused', code, message, ...(matches === undefined ? {} : { matches }) };
}

export type ParamsOf<Name extends CommandName> = z.infer<(typeof commands)[Name]['params']>;

/** One thing that the farm can be told to do. */
export interface GameCommand<Name extends CommandName> {
  /** Why it cannot be done as things stand. Asked before the claim, and again before it is applied. */
  readonly refusal: (farm: Farm, params: ParamsOf<Name>) => RefusedOutcome | undefined;
  /** Does it; the outcome may come later, but comes with the effect. */
  readonly apply: (farm: Farm, params: ParamsOf<Name>, done: (outcome: Outcome) => void) => void;
}

export function neverRefused(): undefined {
  return undefined;
}

/** The world cannot be changed while it is being written down. */
export function whileSaving(farm: Farm): RefusedOutcome | undefined {
  return farm.dayCycle.isSaving
    ? notApplied('saving', 'The farm is saving; try again in a moment')
    : undefined;
}

/** A day is saved when it ends; before that, only what nobody plays. */
export function whilePlaying({ dayCycle, sessions }: Farm): RefusedOutcome | undefined {
  if (dayCycle.maySave) return undefined;
  const names = sessions.all.map(({ knownName }) => knownName || 'somebody who has no name yet');
  return notApplied('players-online', `The farm cannot save while it is played by ${listed.format(names)}`);
}

const listed = new Intl.ListFormat('en');

interface Person {
  readonly id: string;
  readonly name: string;
}

type Found = { readonly person: Person } | { readonly refusal: RefusedOutcome };

/** Whom a command means: the host or a farmhand, by id or by a name that fits exactly one of them. */
export function findTarget(target: PlayerTarget, people: readonly Person[]): Found {
  const fitting = farmhandsMeant(people, target);
  const [person, ...others] = fitting;
  if (person === undefined) return { refusal: notApplied('not-found', `There is no ${printed(target)}`) };
  if (others.length === 0) return { person };
  return {
    refusal: notApplied('ambiguous', `${fitting.length} farmhands are called ${printed(target)}`, fitting),
  };
}

export function farmhandsOf(farm: Farm): readonly Person[] {
  return farm.slots.all.map(({ id, name }) => ({ id, name }));
}

export function everyone(farm: Farm): readonly Person[] {
  return [farm.world.state.host, ...farmhandsOf(farm)];
}

function printed(target: PlayerTarget): string {
  return 'playerId' in target ? `farmhand ${target.playerId}` : target.name;
}
