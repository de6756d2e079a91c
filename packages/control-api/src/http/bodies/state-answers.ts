import type { ShownSection } from '../../game/state/bridge-state.ts';
import { type FarmSources, farmView } from '../../status/farm-view.ts';
import { cabinsOf } from './cabins.ts';
import { inviteCodeOf } from './invite-codes.ts';
import { farmhandsOf, playersOf } from './people.ts';
import { preparedFrom } from './prepared-answer.ts';
import { renderingOf, statsOf } from './stats.ts';
import { statusOf, timeOf } from './status.ts';

const ofTheView = { '/status': statusOf, '/invite-code': inviteCodeOf, '/farmhands': farmhandsOf };

const ofTheState = {
  '/players': playersOf,
  '/cabins': cabinsOf,
  '/rendering': renderingOf,
  '/time': timeOf,
  '/stats': statsOf,
};

/** What each is made from, and so what its age is the age of. */
export const shownBy: Readonly<Record<StatePath, readonly ShownSection[]>> = {
  '/status': ['status'],
  '/invite-code': ['status'],
  '/farmhands': ['farmhands', 'players'],
  '/players': ['players'],
  '/cabins': ['cabins'],
  '/rendering': ['rendering'],
  '/time': ['status'],
  '/stats': ['stats'],
};

/** The answers that wait for nobody, by path, each made when it is first asked for after a change. */
export function stateAnswers(sources: FarmSources) {
  const state = () => sources.bridge.state;
  const view = farmView(sources);
  return new Map([
    ...Object.entries(ofTheView).map(
      ([path, make]) => [path as StatePath, preparedFrom(view, make)] as const,
    ),
    ...Object.entries(ofTheState).map(
      ([path, make]) => [path as StatePath, preparedFrom(state, make)] as const,
    ),
  ]);
}

export type StateAnswers = ReturnType<typeof stateAnswers>;
export type StatePath = keyof typeof ofTheView | keyof typeof ofTheState;
