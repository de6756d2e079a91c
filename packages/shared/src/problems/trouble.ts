import { z } from 'zod';

/** What is wrong, in words for whoever runs this, and what mends it. */
export interface Trouble {
  readonly reason: string;
  readonly remedy?: string | undefined;
}

/** Trouble that somebody can do something about, or is told that nobody has to. */
export interface MendableTrouble extends Trouble {
  readonly remedy: string;
}

/** Both as one text, for whoever shows one text. */
export function troubleText({ reason, remedy }: Trouble): string {
  return remedy === undefined ? reason : `${reason}. ${remedy}`;
}

/** Both as members of an answer, each with what it means there; which may be absent, the answer’s `partial` says. */
export function troubleShape(reasonSays: string, remedySays: string) {
  return {
    reason: z.string().meta({ description: reasonSays }),
    remedy: z.string().meta({ description: remedySays }),
  };
}
