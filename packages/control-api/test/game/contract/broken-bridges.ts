import type { Command } from '@steward/shared/bridge/commands';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { GameBridge } from '../../../src/game/game-bridge.ts';
import type { CommandResult, Operation } from '../../../src/game/operations/operation.ts';
import type { BridgeState } from '../../../src/game/state/bridge-state.ts';
import type { Subject } from './subject.ts';

/** An honest thing, but for these members. */
function lying<Honest extends object>(honest: Honest, lies: Partial<Honest>): Honest {
  return new Proxy(honest, {
    get(target, name) {
      const from = Object.hasOwn(lies, name) ? lies : target;
      const value: unknown = Reflect.get(from, name, from);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}

function withBridge(subject: Subject, lies: (honest: GameBridge) => Partial<GameBridge>): Subject {
  return lying(subject, { bridge: lying(subject.bridge, lies(subject.bridge)) });
}

/** Whoever looks at the state sees another. */
function showing(subject: Subject, change: (state: BridgeState) => BridgeState): Subject {
  return withBridge(subject, (honest) => ({
    get state() {
      return change(honest.state);
    },
    follow: (listener) => honest.follow((state) => listener(change(state))),
  }));
}

type Run = (command: Command, run: GameBridge['run']) => Promise<CommandResult>;

function running(subject: Subject, run: Run): Subject {
  return withBridge(subject, (honest) => ({
    run: (command, options) => run(command, (other) => honest.run(other, options)),
  }));
}

/** The result, with another end of the operation in it. */
function ending(result: CommandResult, change: (operation: Operation) => Partial<Operation>): CommandResult {
  if (result.kind !== 'operation') return result;
  return { ...result, operation: { ...result.operation, ...change(result.operation) } };
}

const setTime: Command = { name: 'setTime', params: { value: 900 } };

/** What breaks the rule, by what the rule says; each starts from a bridge that keeps them all. */
export const brokenBridges: readonly [rule: string, how: string, broken: (honest: Subject) => Subject][] = [
  [
    'the first state is whole, and of the wire’s form',
    'shows a part of the state for the whole',
    (subject) =>
      showing(subject, ({ sections: { farm: _farm, ...sections }, ...state }) => ({ ...state, sections })),
  ],
  [
    'an id keeps every digit',
    'reads ids as numbers',
    (subject) =>
      showing(subject, (state) => {
        const { players = [] } = state.sections;
        const rounded = players.map((player) => ({ ...player, id: String(Number(player.id)) }));
        return { ...state, sections: { ...state.sections, players: rounded } };
      }),
  ],
  [
    'joins and leaves are told in their order',
    'does not tell who left',
    (subject) =>
      withBridge(subject, ({ events }) => ({
        events: lying(events, {
          follow: (listener) =>
            events.follow((logged) => {
              if (logged.event.type !== 'players.left') listener(logged);
            }),
        }),
      })),
  ],
  [
    'what is not declared is unsupported, and never sent',
    'sends it all the same',
    (subject) =>
      running(subject, async ({ name }, run) => {
        await run(setTime);
        return { kind: 'unsupported', command: name };
      }),
  ],
  [
    'setRenderRate tells before and after, and is seen',
    'tells what was asked as what was',
    (subject) =>
      running(subject, async (command, run) =>
        ending(await run(command), ({ outcome }) =>
          outcome?.outcome === 'applied' ? { outcome: { ...outcome, before: outcome.after } } : {},
        ),
      ),
  ],
  [
    'setTime tells before and after, and is seen',
    'answers without having done it',
    (subject) =>
      running(subject, async (command, run) => {
        const result = await run({ name: 'setTime', params: { value: 600 } });
        const { params } = command as Extract<Command, { name: 'setTime' }>;
        const after = { timeOfDay: params.value };
        return ending(result, () => ({ outcome: { outcome: 'applied', before: { timeOfDay: 600 }, after } }));
      }),
  ],
  [
    'grantAdmin names whom it made one, and refuses who is not there',
    'makes somebody else one',
    (subject) =>
      running(subject, (_command, run) => run({ name: 'grantAdmin', params: { target: { name: 'Ann' } } })),
  ],
  [
    'deleteFarmhand deletes exactly that one, and nobody who is online, unknown or one of several',
    'takes the first whom a name fits',
    (subject) =>
      running(subject, (command, run) => {
        const { target } = (command as Extract<Command, { name: 'deleteFarmhand' }>).params;
        const { farmhands = [] } = subject.bridge.state.sections;
        const [first] = farmhandsMeant(farmhands, target);
        return run({ name: 'deleteFarmhand', params: { target: { playerId: first?.id ?? '0' } } });
      }),
  ],
  [
    'sendChat is applied when the line was said',
    'does not know',
    (subject) =>
      running(subject, async (command, run) => ending(await run(command), () => ({ state: 'unknown' }))),
  ],
  [
    'one key is one request',
    'does not look at the key',
    (subject) => withBridge(subject, (honest) => ({ run: (command) => honest.run(command) })),
  ],
  [
    'a game that freezes is called frozen, and live again',
    'calls whatever is connected live',
    (subject) =>
      showing(subject, (state) =>
        state.link.status === 'frozen' ? { ...state, link: { ...state.link, status: 'live' } } : state,
      ),
  ],
  [
    'without a game the last state stays, and a command is not sent',
    'forgets the state',
    (subject) =>
      showing(subject, (state) => (state.link.status === 'gone' ? { ...state, sections: {} } : state)),
  ],
  [
    'without a game the last state stays, and a command is not sent',
    'keeps commands for later',
    (subject) =>
      running(subject, async () => {
        const at = '2026-11-21T06:30:00.000Z';
        const operation = { id: '1', command: 'setTime', state: 'pending', fingerprint: 'f' } as const;
        return { kind: 'operation', operation: { ...operation, createdAt: at, changedAt: at } };
      }),
  ],
  [
    'a command whose game goes while it has it is unknown, told by its id, and never counted as done',
    'counts it as not done',
    (subject) =>
      running(subject, async (command, run) => ending(await run(command), () => ({ state: 'void' }))),
  ],
  [
    'a game that comes back is followed again, whole, and does what it is told',
    'does not notice that it is back',
    (subject) => {
      let isGone = false;
      return showing(subject, (state) => {
        isGone ||= state.link.status === 'gone';
        return isGone ? { ...state, link: { ...state.link, status: 'gone' } } : state;
      });
    },
  ],
];
