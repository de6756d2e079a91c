import type { OwnershipProblemCode } from '@steward/shared/api/answers/readiness';

/** What is wrong with the ownership of farmhands, for the operator. */
export interface OwnershipProblem {
  readonly code: OwnershipProblemCode;
  readonly reason: string;
  readonly remedy: string;
  readonly since: Date;
}

const mendIt = 'Mend it, or update the control API if a newer one wrote it; the next join reads it again';

export function unreadableProblem(
  path: string,
  { why, remedy = mendIt }: { why: string; remedy?: string },
  since: Date,
): OwnershipProblem {
  return {
    code: 'ownership-unreadable',
    reason: `${path} ${why}. It is left as it is, and nobody is let in: nobody can tell whose the farmhands are`,
    remedy,
    since,
  };
}

export function unwritableProblem(path: string, code: string, since: Date): OwnershipProblem {
  return {
    code: 'ownership-unwritable',
    reason: `${path} cannot be written (${code}). Owners come back in, and nobody new: a claim that is not kept would be lost`,
    remedy: 'Make room and let the service write to STATE_DIR; the rest passes by itself',
    since,
  };
}

export function incompleteProblem(doubtful: number, aside: string, since: Date): OwnershipProblem {
  return {
    code: 'ownership-incomplete',
    reason: `The ownership map was corrupt and is kept as ${aside}. Nobody knows who owns ${doubtful} of the farmhands, so nobody is let in with them unless the game can prove it; new farmhands are not concerned`,
    remedy:
      'POST /farmhands/rebind for each of them, with the id from the log line of its owner’s next try; or stop the service, put a good map in its place, and start it',
    since,
  };
}
