import type { StepState } from '@steward/shared/api/answers/readiness';

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
