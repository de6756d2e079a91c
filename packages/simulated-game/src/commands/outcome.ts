import type { AppliedOutcome, RefusalCode, RefusedOutcome } from '@steward/shared/bridge/outcome';

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
