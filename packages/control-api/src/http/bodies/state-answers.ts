import type { Clock } from '@steward/service-kit/clock';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { ShownSection } from '../../game/state/bridge-state.ts';
import { type FarmSources, farmView } from '../../status/farm-view.ts';
import { cabinsOf } from './cabins.ts';
import { inviteCodeOf } from './invite-codes.ts';
import { farmhandsOf, playersOf } from './people.ts';
import { type PreparedAnswer, preparedFrom } from './prepared-answer.ts';
import { snapshotAgeMs } from './snapshot-age.ts';
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
const shownBy: Readonly<Record<StatePath, readonly ShownSection[]>> = {
  '/status': ['status'],
  '/invite-code': ['status'],
  '/farmhands': ['farmhands', 'players'],
  '/players': ['players'],
  '/cabins': ['cabins'],
  '/rendering': ['rendering'],
  '/time': ['status'],
  '/stats': ['stats'],
};

/** An answer that waits for nobody, and how old what it shows is: absent before the first state. */
export interface StateAnswer {
  prepared(): PreparedAnswer;
  ageMs(): number | undefined;
}

export interface StateSources extends FarmSources {
  readonly bridge: FarmSources['bridge'] & Pick<GameBridge, 'toldAt'>;
  readonly clock: Clock;
}

/** By path, each made when it is first asked for after a change. */
export function stateAnswers(sources: StateSources): ReadonlyMap<StatePath, StateAnswer> {
  const { bridge, clock } = sources;
  const state = () => bridge.state;
  const view = farmView(sources);
  const answer = (path: StatePath, prepared: () => PreparedAnswer) =>
    [path, { prepared, ageMs: () => snapshotAgeMs(bridge, shownBy[path], clock) }] as const;
  return new Map([
    ...Object.entries(ofTheView).map(([path, make]) => answer(path as StatePath, preparedFrom(view, make))),
    ...Object.entries(ofTheState).map(([path, make]) => answer(path as StatePath, preparedFrom(state, make))),
  ]);
}

export type StateAnswers = ReturnType<typeof stateAnswers>;
export type StatePath = keyof typeof ofTheView | keyof typeof ofTheState;
