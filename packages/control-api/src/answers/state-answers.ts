import type { GameBridge } from '../bridge/game-bridge.ts';
import { cabinsOf } from './cabins.ts';
import { inviteCodeOf } from './invite-codes.ts';
import { farmhandsOf, playersOf } from './people.ts';
import { preparedFrom } from './prepared-answer.ts';
import { renderingOf, statsOf } from './stats.ts';
import { statusOf, timeOf } from './status.ts';

const makers = {
  '/status': statusOf,
  '/players': playersOf,
  '/invite-code': inviteCodeOf,
  '/farmhands': farmhandsOf,
  '/cabins': cabinsOf,
  '/rendering': renderingOf,
  '/time': timeOf,
  '/stats': statsOf,
};

/** The answers that come from the pushed state alone, by path, each made when it is first asked for in a state. */
export function stateAnswers(bridge: Pick<GameBridge, 'state'>) {
  const state = () => bridge.state;
  const prepared = Object.entries(makers).map(([path, make]) => [path, preparedFrom(state, make)] as const);
  return new Map(prepared);
}

export type StateAnswers = ReturnType<typeof stateAnswers>;
export type StatePath = keyof typeof makers;
