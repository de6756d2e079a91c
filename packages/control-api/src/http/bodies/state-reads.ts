import type { Clock } from '@steward/service-kit/clock';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { ShownSection } from '../../game/state/bridge-state.ts';
import type { Caller } from '../../keys/caller.ts';
import { type FarmSources, farmView } from '../../status/farm-view.ts';
import { cabinsOf, farmhandsOf, playersOf } from './people.ts';
import { type PreparedAnswer, preparedFrom } from './prepared-answer.ts';
import { inviteCodeOf, renderingOf, statsOf, statusOf, timeOf } from './status.ts';

/** An answer that lies ready for each caller, and how old that is which it shows of the game. */
export interface PreparedRead {
  readonly answer: (caller: Caller) => PreparedAnswer;
  readonly ageMs: () => number | undefined;
}

const ofTheView = { getStatus: statusOf, getInviteCode: inviteCodeOf, listFarmhands: farmhandsOf };

const ofTheState = {
  listPlayers: playersOf,
  listCabins: cabinsOf,
  getRendering: renderingOf,
  getTime: timeOf,
  getStats: statsOf,
};

/** The endpoints that show what the game told, and nothing else. */
export type StateReadId = keyof typeof ofTheView | keyof typeof ofTheState;

export type StateReads = Readonly<Record<StateReadId, PreparedRead>>;

/** What each is made from, and so what its age is the age of. */
export const shownBy: Readonly<Record<StateReadId, readonly ShownSection[]>> = {
  getStatus: ['status'],
  getInviteCode: ['status'],
  listFarmhands: ['farmhands', 'players'],
  listPlayers: ['players'],
  listCabins: ['cabins'],
  getRendering: ['rendering'],
  getTime: ['status'],
  getStats: ['stats'],
};

export const stateReadIds = Object.keys(shownBy) as StateReadId[];

interface Sources extends FarmSources {
  readonly bridge: Pick<GameBridge, 'state' | 'pushedAt'>;
  readonly clock: Clock;
}

/** The answers that wait for nobody, each made when it is first asked for after a change. */
export function stateReads(sources: Sources): StateReads {
  const { bridge, clock } = sources;
  const state = () => bridge.state;
  const view = farmView(sources);
  const answers = [
    ...Object.entries(ofTheView).map(([id, make]) => [id, preparedFrom(view, make)] as const),
    ...Object.entries(ofTheState).map(([id, make]) => [id, preparedFrom(state, make)] as const),
  ];
  const reads = answers.map(([id, answer]): readonly [string, PreparedRead] => {
    const sections = shownBy[id as StateReadId];
    return [id, { answer, ageMs: () => snapshotAgeMs(bridge, sections, clock) }];
  });
  return Object.fromEntries(reads) as StateReads;
}

/** How old what is shown of these sections is; a clock that was set back meanwhile makes no age below zero. */
export function snapshotAgeMs(
  bridge: Pick<GameBridge, 'pushedAt'>,
  sections: readonly ShownSection[],
  clock: Clock,
): number | undefined {
  const pushedAt = bridge.pushedAt(sections);
  return pushedAt === undefined ? undefined : Math.max(0, clock.date().getTime() - pushedAt.getTime());
}
