import { type Clock, settledWithin } from '@steward/service-kit/clock';
import {
  type AppTicketResult,
  appTicketParams,
  lobbyVisibilityParams,
  type MayJoinParams,
  type MayJoinResult,
  mayJoinParams,
  type VisibleSlotsParams,
  type VisibleSlotsResult,
  visibleSlotsParams,
} from '@steward/shared/bridge/methods';
import type { Params } from '@steward/shared/bridge/peer';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { Parsed } from '@steward/shared/parsed';
import { lobbyVisibility } from '@steward/shared/wire-values';
import { RpcFault, readParams } from './answering.ts';

/** Who answers what a game asks. Which visibility a lobby gets is not asked here: there is one answer. */
export interface GameQuestions {
  mayJoin(question: MayJoinParams): Promise<MayJoinResult>;
  visibleSlots(question: VisibleSlotsParams): Promise<VisibleSlotsResult>;
  /** A refusal's reason is shown to the operator by the game. */
  appTicket(): Promise<Parsed<AppTicketResult>>;
  /** The effective settings, for the answer to `hello`. */
  settings(): GameSettings;
}

/** Answers a question of the game's by its name, or says that there is no such question. */
export async function answerQuestion(
  questions: GameQuestions,
  method: string,
  params: Params,
): Promise<object> {
  switch (method) {
    case 'mayJoin':
      return questions.mayJoin(readParams(mayJoinParams, params));
    case 'visibleSlots':
      return questions.visibleSlots(readParams(visibleSlotsParams, params));
    case 'lobbyVisibility':
      readParams(lobbyVisibilityParams, params);
      return { visibility: lobbyVisibility };
    case 'appTicket': {
      readParams(appTicketParams, params);
      const ticket = await questions.appTicket();
      if (!ticket.ok) throw new RpcFault('noTicket', ticket.reason);
      return ticket.value;
    }
    default:
      throw new RpcFault('methodNotFound', `There is no method ${method.slice(0, 64)}`);
  }
}

/** A game is answered in time, if only by an error. */
export function within<T>(clock: Clock, ms: number, answer: Promise<T>): Promise<T> {
  return settledWithin(
    answer,
    ms,
    clock,
    () => new RpcFault('internalError', `No answer within ${ms} ms; ask again`),
  );
}
