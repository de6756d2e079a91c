import { capital } from '@steward/shared/capital';
import { timestampOf } from '@steward/shared/timestamp';
import { passes, triesAgain } from '../game/state/remedies.ts';
import type { SidecarRefusal } from '../sidecar/sidecar-answer.ts';
import type { FindingKind } from './step-states.ts';

/** What is found of one step in the facts. */
export interface Finding {
  readonly kind: FindingKind;
  readonly reason: string;
  readonly remedy?: string;
  readonly nextRetry?: string;
}

export function ok(reason: string): Finding {
  return { kind: 'ok', reason };
}

export function waiting(reason: string, remedy?: string): Finding {
  return { kind: 'waiting', reason, ...(remedy === undefined ? {} : { remedy }) };
}

export function working(reason: string): Finding {
  return { kind: 'working', reason, remedy: passes };
}

export function failing(
  { reason, remedy }: Pick<SidecarRefusal, 'reason' | 'remedy'>,
  retryAt?: Date,
): Finding {
  const nextRetry = retryAt === undefined ? {} : { nextRetry: timestampOf(retryAt) };
  return { kind: 'failing', reason, remedy: remedy ?? triesAgain, ...nextRetry };
}

/** What a game says in its own words, as a sentence. */
export function sentence(words: string | undefined, otherwise: string): string {
  return words === undefined || words === '' ? otherwise : capital(words);
}
