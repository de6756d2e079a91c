import type { RequestableVisibility } from '@steward/shared/lobby-visibility';
import type { Parsed } from '@steward/shared/parsed';

/** A slot as a joining player could see it. */
export interface SlotQuestion {
  readonly farmhandId: string;
  readonly customised: boolean;
  readonly stamp?: string;
}

export interface VisibleSlotsQuestion {
  readonly connectionId: string;
  readonly slots: readonly SlotQuestion[];
}

export interface ClaimQuestion {
  readonly connectionId: string;
  readonly slot: SlotQuestion;
  /** What the joining client declares about itself; empty over direct IP. */
  readonly declaredStamp: string;
}

/** Given once, whenever it is known; a refusal says why there is no answer. */
export type Answer<T> = (answer: Parsed<T>) => void;

/** Whoever decides for the farm: the four questions that a game asks. The farm obeys the answers. */
export interface Steward {
  visibleSlots(question: VisibleSlotsQuestion, answer: Answer<readonly string[]>): void;
  mayTake(question: ClaimQuestion, answer: Answer<boolean>): void;
  lobbyVisibility(requested: RequestableVisibility, answer: Answer<RequestableVisibility>): void;
  /** The encrypted app ticket, base64. */
  appTicket(answer: Answer<string>): void;
}
