import type { PlayerTarget } from '@steward/shared/bridge/commands';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { RefusedOutcome } from '@steward/shared/bridge/outcome';
import type { Farm } from '../farm/farm.ts';
import { notApplied } from './game-command.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
}

export type Found = { readonly person: Person } | { readonly refusal: RefusedOutcome };

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
