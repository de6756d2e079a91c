import type { GameBridge } from '../bridge/game-bridge.ts';
import type { InviteWay } from '../invite-way/invite-way.ts';
import { cabinsOf } from './cabins.ts';
import { farmView } from './farm-view.ts';
import { inviteCodeOf } from './invite-codes.ts';
import { farmhandsOf, playersOf } from './people.ts';
import { preparedFrom } from './prepared-answer.ts';
import { renderingOf, statsOf } from './stats.ts';
import { statusOf, timeOf } from './status.ts';

const ofTheView = { '/status': statusOf, '/invite-code': inviteCodeOf };

const ofTheState = {
  '/players': playersOf,
  '/farmhands': farmhandsOf,
  '/cabins': cabinsOf,
  '/rendering': renderingOf,
  '/time': timeOf,
  '/stats': statsOf,
};

export interface AnswerSources {
  readonly bridge: Pick<GameBridge, 'state'>;
  readonly inviteWay: Pick<InviteWay, 'picture'>;
}

/** The answers that wait for nobody, by path, each made when it is first asked for after a change. */
export function stateAnswers(sources: AnswerSources) {
  const state = () => sources.bridge.state;
  const view = farmView(sources);
  return new Map([
    ...Object.entries(ofTheView).map(([path, make]) => [path, preparedFrom(view, make)] as const),
    ...Object.entries(ofTheState).map(([path, make]) => [path, preparedFrom(state, make)] as const),
  ]);
}

export type StateAnswers = ReturnType<typeof stateAnswers>;
export type StatePath = keyof typeof ofTheView | keyof typeof ofTheState;
