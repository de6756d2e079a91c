import type { CommandName } from '@steward/shared/bridge/commands';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { GameBridge } from '../../../src/game/game-bridge.ts';
import type { BridgeState } from '../../../src/game/state/bridge-state.ts';

/** A bridge and the game behind it, in the contract's hands. */
export interface Subject extends AsyncDisposable {
  readonly bridge: GameBridge;
  /** What the bridge declares to carry out. */
  readonly capabilities: readonly CommandName[];
  /** Somebody new comes to the farm and makes a character; resolves to its id. */
  join(name: string): Promise<string>;
  leave(id: string): Promise<void>;
  /** The ids of the slots as the game has them. */
  ids(): readonly string[];
  /** How often the game has carried a command out. */
  applications(): number;
  freeze(): void;
  thaw(): void;
  /** From now on a command is taken, and no answer comes. */
  hold(): void;
  /** Resolves when a command is held. */
  held(): Promise<void>;
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
}

export function stateWhere(
  { bridge }: Subject,
  wanted: (state: BridgeState) => boolean,
): Promise<BridgeState> {
  const { promise, resolve } = Promise.withResolvers<BridgeState>();
  const end = bridge.follow((state) => wanted(state) && resolve(state));
  if (wanted(bridge.state)) resolve(bridge.state);
  return promise.finally(end);
}

export const isLive = ({ link, isWhole }: BridgeState): boolean => link.status === 'live' && isWhole;

/** Resolves once the event log has shown all of these types, in this order. */
export function eventsInOrder(
  { bridge }: Subject,
  types: readonly StewardEvent['type'][],
): Promise<readonly StewardEvent['type'][]> {
  const { promise, resolve } = Promise.withResolvers<readonly StewardEvent['type'][]>();
  const missing = [...types];
  const told: StewardEvent['type'][] = [];
  const end = bridge.events.follow(({ event }) => {
    if (types.includes(event.type)) told.push(event.type);
    if (event.type === missing[0]) missing.shift();
    if (missing.length === 0) resolve(told);
  });
  return promise.finally(end);
}
