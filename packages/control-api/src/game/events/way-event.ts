import type { StepState } from '../../invites/step-states.ts';
import type { StepName } from '../../invites/steps.ts';

/** A step of the invite code's way has come into another state. */
export interface WayEvent {
  readonly kind: 'inviteWay';
  readonly step: StepName;
  readonly from: StepState;
  readonly to: StepState;
  readonly reason: string;
}

/** The codes that work from now on. */
export interface CodesEvent {
  readonly kind: 'inviteCodes';
  readonly platform?: string;
  readonly network?: string;
}
