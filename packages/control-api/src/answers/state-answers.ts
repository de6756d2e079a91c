import type { GameBridge } from '../bridge/game-bridge.ts';
import type { BridgeState } from '../bridge/link/bridge-state.ts';
import type { Ownership, OwnershipView } from '../ownership/ownership.ts';
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

/** The answers that come from the pushed state, and from who owns what, by path, each made when it is first asked for in a state. */
export function stateAnswers(bridge: Pick<GameBridge, 'state'>, ownership: Pick<Ownership, 'view'>) {
  const known = knownOf(bridge, ownership);
  const prepared = Object.entries(makers).map(
    ([path, make]) => [path, preparedFrom(known, ({ state, owners }) => make(state, owners))] as const,
  );
  return new Map(prepared);
}

/** State and owners together, as one object for as long as neither is another. */
function knownOf(bridge: Pick<GameBridge, 'state'>, ownership: Pick<Ownership, 'view'>) {
  let known: { state: BridgeState; owners: OwnershipView } | undefined;
  return () => {
    const state = bridge.state;
    const owners = ownership.view;
    if (known?.state !== state || known.owners !== owners) known = { state, owners };
    return known;
  };
}

export type StateAnswers = ReturnType<typeof stateAnswers>;
export type StatePath = keyof typeof makers;
