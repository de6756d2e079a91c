import type { Emulated } from './emulated.ts';
import type { SidecarProcess } from './sidecar-process.ts';

export interface Stage {
  readonly world: Emulated;
  sidecar: SidecarProcess;
  restart(signal: NodeJS.Signals): Promise<void>;
}

export interface ChaosFault {
  readonly name: string;
  strike(stage: Stage, random: () => number): Promise<void> | void;
}

function pick<T>(list: readonly T[], random: () => number): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

const kicks = [0, 2, 3, 6, 11, 16, 20, 34, 48, 79];
const refusals = [2, 3, 10, 16, 20, 34, 48, 79, 84, 87];
const passing = [2, 3, 10, 16, 20, 48, 79];
const lasting = [34, 84, 87];
const damages = ['corrupt', 'truncated', 'wrong-bytes'] as const;

/** What a platform, a network and an operator do to a session. After each of them it has to be back by itself. */
export const chaosFaults: readonly ChaosFault[] = [
  {
    name: 'kick',
    strike: ({ world }, random) => world.platform.kick('ann', pick(kicks, random)),
  },
  { name: 'drop', strike: ({ world }) => world.platform.dropConnections() },
  {
    name: 'refusal',
    strike({ world }, random) {
      const times = 1 + Math.floor(random() * 2);
      const fault = { eresult: pick(refusals, random) };
      world.platform.faults.add({ when: { path: 'ClientLogon' }, times, fault });
      world.platform.dropConnections();
    },
  },
  {
    name: 'refusals of several classes in a row',
    strike({ world }, random) {
      const row = [passing, passing, passing, passing, lasting, passing, lasting, lasting];
      for (const [index, codes] of row.entries())
        world.platform.faults.add({
          when: { path: 'ClientLogon' },
          nth: index + 1,
          fault: { eresult: pick(codes, random) },
        });
      world.platform.dropConnections();
    },
  },
  {
    name: 'connection that breaks at logon',
    strike({ world }) {
      world.platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { resetAtByte: 0 } });
      world.platform.dropConnections();
    },
  },
  {
    name: 'corrupt welcome',
    strike({ world }, random) {
      const fault = { damage: pick(damages, random) };
      world.platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault });
      world.platform.dropConnections();
    },
  },
  {
    name: 'server list that is not available',
    strike({ world }) {
      world.platform.faults.add({ when: { kind: 'web-api' }, times: 1, fault: { status: 503 } });
      world.platform.dropConnections();
    },
  },
  {
    name: 'proxy that refuses',
    strike({ world }) {
      world.platform.faults.add({ when: { kind: 'proxy' }, times: 1, fault: { status: 502 } });
      world.platform.dropConnections();
    },
  },
  {
    name: 'changed password, and a new login manually',
    async strike({ world }) {
      world.platform.revokeAll('ann');
      world.platform.kick('ann', 15);
      await world.saveSession('ann');
    },
  },
  { name: 'restart', strike: (stage) => stage.restart('SIGTERM') },
  { name: 'kill', strike: (stage) => stage.restart('SIGKILL') },
];

/** In the order of chance: kicks and drops come often, restarts seldom, all of them come. */
export function nextFault(index: number, random: () => number): ChaosFault {
  const isEarly = index < chaosFaults.length;
  const found = isEarly ? chaosFaults[index] : pick([...chaosFaults, ...chaosFaults.slice(0, 5)], random);
  if (found === undefined) throw new Error('there are no faults');
  return found;
}
