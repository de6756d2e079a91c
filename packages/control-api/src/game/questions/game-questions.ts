import type {
  AppTicketResult,
  MayJoinParams,
  MayJoinResult,
  VisibleSlotsParams,
  VisibleSlotsResult,
} from '@steward/shared/bridge/questions';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { Parsed } from '@steward/shared/parsed';

/** Who answers what a game asks. Which visibility a lobby gets is not asked here: there is one answer. */
export interface GameQuestions {
  mayJoin(question: MayJoinParams): Promise<MayJoinResult>;
  visibleSlots(question: VisibleSlotsParams): Promise<VisibleSlotsResult>;
  /** A refusal's reason is shown to the operator by the game. */
  appTicket(): Promise<Parsed<AppTicketResult>>;
  /** The effective settings, for the answer to `hello`. */
  settings(): GameSettings;
}
