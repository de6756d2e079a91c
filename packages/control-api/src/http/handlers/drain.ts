import type { AnswerOf } from '@steward/shared/api/answers';
import type { drainEndpoints } from '@steward/shared/api/endpoints/drain';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../../game/game-bridge.ts';
import { type BridgeState, isConnected, isCurrent } from '../../game/state/bridge-state.ts';
import { appliedBy } from '../command-answers/game-command.ts';
import { begun } from '../command-answers/under-way.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function drainHandlers({
  bridge,
  drains,
}: Pick<HandlerParts, 'bridge' | 'drains'>): Handlers<keyof typeof drainEndpoints> {
  return {
    getDrain() {
      const { standing, savedAt } = drains;
      const players = playersIn(bridge.state);
      return {
        ...(standing === undefined ? {} : { draining: standing }),
        players,
        ...(savedAt === undefined ? {} : { savedAt: timestampOf(savedAt) }),
        lostIfStoppedNow: whatIsLost(bridge, players),
      };
    },
    async startDrain({ query, idempotencyKey }, reply) {
      return begun(await drains.start(query, idempotencyKey), reply, 'The drain has started');
    },
    async cancelDrain({ idempotencyKey }) {
      const { operationId, outcome } = appliedBy(await drains.end(idempotencyKey));
      const wasStopped = outcome.after['wasStopped'] === true;
      const again = bridge.startsGame
        ? 'The game is starting again'
        : 'The game can connect again: start it where it was started, unless something starts it by itself';
      const message = wasStopped ? again : 'The drain is cancelled: players can join again';
      return { success: true, message, operationId, wasStopped };
    },
  };
}

function playersIn(state: BridgeState): number {
  return isCurrent(state) ? (state.sections.players?.length ?? 0) : 0;
}

function whatIsLost(
  { state, startsGame }: Pick<GameBridge, 'state' | 'startsGame'>,
  players: number,
): AnswerOf<'getDrain'>['lostIfStoppedNow'] {
  const { selfHosted, link, game, isWhole } = state;
  if (selfHosted !== undefined)
    return `This day since it began, if somebody has played in it: ${selfHosted.name} saves only when a day ends, and Steward cannot drain it. Stop it right after a new day has begun`;
  if (!isConnected(link.status))
    return startsGame || link.status === 'stopped'
      ? 'Nothing: no game is connected'
      : 'Unknown: no game is connected, and one that Steward did not start may run on with its players';
  if (!isWhole) return 'Unknown: the game has not sent its complete state yet';
  if (players === 0) return 'Nothing: nobody is online, and the game saves before it stops';
  const can = (name: string) => game?.capabilities.includes(name) === true;
  if (can('kick') && can('save'))
    return 'Nothing if you drain: the remaining players are disconnected, and the game saves before it stops. Any other stop loses this day since it began';
  return 'This day since it began: this game cannot disconnect players, and saves only when nobody is online. A drain at the end of the day (when=day-end) loses nothing, if the day ends within its minutes';
}
