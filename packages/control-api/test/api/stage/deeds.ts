import type { CommandName, PlayerTarget } from '@steward/shared/bridge/commands';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { WholeState } from '@steward/shared/bridge/state';

type Facts = Readonly<Record<string, unknown>>;

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly matches?: readonly { id: string; name: string }[];
}

interface Change {
  readonly before: Facts;
  readonly after: Facts;
  readonly subject?: { id: string; name: string };
  readonly apply: () => void;
}

/** What the farm does when it is told to, in so far as it changes what can be read. */
export function deed(state: WholeState, name: CommandName, params: Facts): Refusal | Change {
  const nothing: Change = { before: {}, after: {}, apply: () => {} };
  switch (name) {
    case 'setRenderRate':
      return change({ fps: state.rendering.fps }, { fps: params['fps'] }, () => {
        state.rendering.fps = Number(params['fps']);
      });
    case 'setTime':
      return change({ timeOfDay: state.status.timeOfDay }, { timeOfDay: params['value'] }, () => {
        state.status.timeOfDay = Number(params['value']);
      });
    case 'grantAdmin':
      return toOne(state, params, (slot) => ({
        ...change({ isAdmin: slot.isAdmin }, { isAdmin: true }, () => {
          slot.isAdmin = true;
        }),
        subject: { id: slot.id, name: slot.name },
      }));
    case 'deleteFarmhand':
      return toOne(state, params, (slot) => {
        if (slot.isOnline) return { code: 'online', message: `${slot.name} is online` };
        const subject = { id: slot.id, name: slot.name };
        return {
          ...change({ exists: true }, { exists: false }, () => {
            state.farmhands = state.farmhands.filter(({ id }) => id !== slot.id);
          }),
          subject,
        };
      });
    case 'clearStamp': {
      const slot = state.farmhands.find(({ id }) => id === params['farmhandId']);
      if (slot === undefined) return { code: 'not-found', message: 'There is no such farmhand' };
      return change(slot.stamp === undefined ? {} : { stamp: slot.stamp }, {}, () => {
        delete slot.stamp;
      });
    }
    case 'applySettings': {
      const { server } = params['settings'] as GameSettings;
      // This game can change who may join while it runs; where cabins stand it reads when it starts.
      const inEffect = { ...server, cabinStrategy: state.cabins.strategy };
      return change(
        { server: { ...inEffect, maxPlayers: state.status.maxPlayers } },
        { server: inEffect },
        () => {
          state.status.maxPlayers = server.maxPlayers;
        },
      );
    }
    default:
      return nothing;
  }
}

function change(before: Facts, after: Facts, apply: () => void): Change {
  return { before, after, apply };
}

function toOne(
  state: WholeState,
  params: Facts,
  found: (slot: WholeState['farmhands'][number]) => Refusal | Change,
): Refusal | Change {
  const target = params['target'] as PlayerTarget;
  const matches = state.farmhands.filter((slot) =>
    'playerId' in target
      ? slot.id === target.playerId
      : slot.name.toLowerCase() === target.name.toLowerCase(),
  );
  const [first, ...more] = matches;
  if (first === undefined)
    return { code: 'not-found', message: 'There is no such farmhand: it was not found' };
  if (more.length > 0)
    return {
      code: 'ambiguous',
      message: 'Several have this name: give the playerId of one',
      matches: matches.map(({ id, name }) => ({ id, name })),
    };
  return found(first);
}
