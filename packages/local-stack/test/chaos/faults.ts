import { count } from '@steward/testing/scale';
import type { ChaosWorld } from './chaos-world.ts';
import type { Dice } from './dice.ts';
import type { Blow } from './ward.ts';

export interface ChaosFault {
  readonly name: string;
  strike(world: ChaosWorld, dice: Dice): Promise<unknown>;
}

/** Long enough for deadlines to pass in part, short enough for a run of many. */
const longestStopMs = 600;
/** Of the farm's time. */
const longestOutageSeconds = 60;

/** Results with which the platform ends a session: its own trouble, and another program with the same account. */
const kicks = [2, 3, 16, 20, 48, 79, 34];
const refusals = [2, 10, 16, 20, 25];
const logonRefusals = [2, 3, 20, 48];

const blow = (ward: 'platform' | 'sidecar' | 'api' | 'farm', what: Blow): ChaosFault => ({
  name: `${what} ${ward}`,
  strike: (world, dice) => world[ward].strike(what, dice.upTo(longestStopMs)),
});

const kills = (['platform', 'sidecar', 'api', 'farm'] as const).map((ward) => blow(ward, 'SIGKILL'));
const gentler = (['platform', 'sidecar', 'api', 'farm'] as const).flatMap((ward) => [
  blow(ward, 'SIGTERM'),
  blow(ward, 'SIGSTOP'),
]);

/** What a platform, networks and a game do to each other without anybody's process ending. */
const others: readonly ChaosFault[] = [
  { name: 'session kicked', strike: ({ platform }, dice) => platform.order('kick', dice.pick(kicks)) },
  { name: 'connections dropped', strike: ({ platform }) => platform.order('drop') },
  { name: 'platform lobby closed', strike: ({ platform }) => platform.order('close-lobbies') },
  { name: 'network lobby lost', strike: ({ orders }) => orders.order('lose-lobby') },
  {
    name: 'network outage',
    strike: ({ orders }, dice) =>
      orders.order('fault', 'network-outage', String(1 + Math.floor(dice.upTo(longestOutageSeconds)))),
  },
  {
    name: 'logon refused',
    strike: ({ platform }, dice) => platform.order('refuse-logons', dice.pick(logonRefusals)),
  },
  {
    name: 'ticket refused',
    async strike({ platform, sidecar, orders }, dice) {
      await platform.order('refuse-tickets', dice.pick(refusals));
      // Neither has a ticket any more, and both need one.
      await Promise.all([sidecar.strike('SIGTERM', 0), orders.order('crash')]);
    },
  },
  { name: 'farm crashed', strike: ({ orders }) => orders.order('crash') },
  { name: 'farm frozen', strike: ({ orders }) => orders.order('freeze', '1') },
];

/** Every run plays whole decks: each process is killed this often in one, and everything else happens, too. */
const killsADeck = count({ small: 1, long: 5 });
const othersADeck = count({ small: 1, long: 3 });

export const deck: readonly ChaosFault[] = [
  ...Array.from({ length: killsADeck }, () => kills).flat(),
  ...gentler,
  ...Array.from({ length: othersADeck }, () => others).flat(),
];
