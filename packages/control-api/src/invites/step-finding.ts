import type { StepState } from '@steward/shared/api/answers/readiness';
import type { Trouble } from '@steward/shared/problems/trouble';
import { capital } from '@steward/shared/text';
import { timestampOf } from '@steward/shared/wire-values';
import { type BridgeState, isConnected, passes, remedyOf, triesAgain } from '../game/state/bridge-state.ts';

/** What is found of one step in the facts. */
export interface StepFinding extends Trouble {
  readonly kind: FindingKind;
  readonly nextRetry?: string;
}

export function ok(reason: string): StepFinding {
  return { kind: 'ok', reason };
}

export function waiting(reason: string, remedy?: string): StepFinding {
  return { kind: 'waiting', reason, remedy };
}

export function working(reason: string): StepFinding {
  return { kind: 'working', reason, remedy: passes };
}

export function failing({ reason, remedy }: Trouble, retryAt?: Date): StepFinding {
  const nextRetry = retryAt === undefined ? {} : { nextRetry: timestampOf(retryAt) };
  return { kind: 'failing', reason, remedy: remedy ?? triesAgain, ...nextRetry };
}

/** What a game says in its own words, as a sentence. */
export function sentence(words: string | undefined, otherwise: string): string {
  return words === undefined || words === '' ? otherwise : capital(words);
}

/** What a look at the facts finds of a step, whatever was found before. */
export const findingKinds = ['off', 'waiting', 'working', 'ok', 'failing'] as const;

export type FindingKind = (typeof findingKinds)[number];

const fromTheStart = {
  off: 'off',
  waiting: 'waiting',
  working: 'working',
  ok: 'ok',
  failing: 'failed',
} as const satisfies Record<FindingKind, StepState>;

/** It failed before and has not succeeded since: another attempt is no news. */
const afterFailure = { ...fromTheStart, working: 'failed' } as const;

/** It held before: whatever it is now, it is a loss until it holds again. */
const afterSuccess = { ...fromTheStart, working: 'lost', failing: 'lost' } as const;

/** Every transition that there is: from each state, by what is found. */
export const transitions: Readonly<Record<StepState, Readonly<Record<FindingKind, StepState>>>> = {
  off: fromTheStart,
  waiting: fromTheStart,
  working: fromTheStart,
  ok: afterSuccess,
  failed: afterFailure,
  lost: afterSuccess,
};

/**
 * What a step of the game's waits for while there is no game that hosts. Until a game has told its whole state, what is
 * known is of the one before it, lobby and code included.
 */
export function gameAway({ link, sections, isWhole }: BridgeState): StepFinding | undefined {
  if (!isConnected(link.status))
    return waiting(sentence(link.reason, 'No game is connected'), remedyOf(link));
  if (!isWhole) return waiting('The game has not sent its complete state yet', passes);
  if (sections.status?.isOnline !== true)
    return waiting('No farm is loaded', 'Load a farm, or wait until it is loaded');
  return undefined;
}
