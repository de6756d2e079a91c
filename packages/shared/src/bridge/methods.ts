import { claimParams, claimResult, journalParams, journalResult } from './claims.ts';
import { eventParams } from './events.ts';
import { helloParams, helloResult } from './hello.ts';
import {
  appTicketParams,
  appTicketResult,
  lobbyVisibilityParams,
  lobbyVisibilityResult,
  mayJoinParams,
  mayJoinResult,
  visibleSlotsParams,
  visibleSlotsResult,
} from './questions.ts';
import { stateParams, tickParams } from './state/sections.ts';

/** What a game asks the control API. */
export const requestsOfGame = {
  hello: { params: helloParams, result: helloResult },
  claim: { params: claimParams, result: claimResult },
  mayJoin: { params: mayJoinParams, result: mayJoinResult },
  visibleSlots: { params: visibleSlotsParams, result: visibleSlotsResult },
  lobbyVisibility: { params: lobbyVisibilityParams, result: lobbyVisibilityResult },
  appTicket: { params: appTicketParams, result: appTicketResult },
} as const;

/** What a game tells the control API. */
export const notificationsOfGame = {
  state: { params: stateParams },
  tick: { params: tickParams },
  event: { params: eventParams },
} as const;

/** What the control API asks a game, beside the commands. */
export const requestsOfControlApi = {
  journal: { params: journalParams, result: journalResult },
} as const;
