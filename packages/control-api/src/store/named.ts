import { Problem } from '@steward/shared/problems/problem';

/** What somebody has this service keep has an id, and the name that they gave it. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** By what somebody says which one they mean. */
export type Which = { readonly id: string } | { readonly name: string };

/** The check of the query has seen to it that one of them is there. */
export function whichOf({ id, name }: { readonly id?: string; readonly name?: string }): Which {
  return id === undefined ? { name: name ?? '' } : { id };
}

/** A name in words: where it begins and ends is seen. */
export function shown(name: string): string {
  return JSON.stringify(name);
}

/** Completes "No key …". */
export function whichSays(which: Which): string {
  return 'id' in which ? `has the id ${which.id}` : `is called ${shown(which.name)}`;
}

type Thing = 'schedule' | 'webhook';

/** Throws the Problem that says so where another one has the name, or there are already so many. */
export function refuseNew(
  thing: Thing,
  known: readonly { readonly definition: Named }[],
  name: string,
  most: number,
): void {
  const namesake = known.find(({ definition }) => isNamed(definition, name))?.definition;
  if (namesake !== undefined)
    throw new Problem(
      `${thing}-name-taken`,
      `The ${thing} ${namesake.id} is called ${shown(namesake.name)}: use another name, or delete that one first`,
    );
  if (known.length >= most)
    throw new Problem(
      `too-many-${thing}s`,
      `There are already ${most} ${thing}s, the maximum: delete one that you no longer need`,
    );
}

/** The one that somebody means, or the Problem that says that there is none. */
export function meant<Known extends { readonly definition: Named }>(
  thing: Thing,
  known: readonly Known[],
  which: Which,
): Known {
  const found = known.find(({ definition }) => isMeant(definition, which));
  if (found !== undefined) return found;
  throw new Problem(
    `${thing}-not-found`,
    `No ${thing} ${whichSays(which)}: GET /${thing}s lists all ${thing}s`,
  );
}

export function isMeant(named: Named, which: Which): boolean {
  return 'id' in which ? named.id === which.id : isNamed(named, which.name);
}

function isNamed({ name }: Named, asked: string): boolean {
  return name.toLowerCase() === asked.toLowerCase();
}
