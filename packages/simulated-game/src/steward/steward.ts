import type {
  AppTicketResult,
  MayJoinParams,
  MayJoinResult,
  VisibleSlotsParams,
  VisibleSlotsResult,
} from '@steward/shared/bridge/methods';
import type { Parsed } from '@steward/shared/parsed';
import type { RequestableVisibility } from '@steward/shared/wire-values';

/** Given once, whenever it is known; a refusal says why there is no answer. */
export type Answer<T> = (answer: Parsed<T>) => void;

export interface LobbyQuestion {
  readonly site: 'platform' | 'network';
  readonly requested: RequestableVisibility;
}

/** Whoever decides for the farm: the four questions that a game asks. The farm obeys the answers. */
export interface Steward {
  visibleSlots(question: VisibleSlotsParams, answer: Answer<VisibleSlotsResult>): void;
  mayJoin(question: MayJoinParams, answer: Answer<Pick<MayJoinResult, 'decision' | 'message'>>): void;
  lobbyVisibility(question: LobbyQuestion, answer: Answer<RequestableVisibility>): void;
  appTicket(answer: Answer<AppTicketResult>): void;
}
