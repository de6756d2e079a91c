import { type CommandName, commands } from '@steward/shared/bridge/commands';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { AppliedOutcome, RefusedOutcome } from '@steward/shared/bridge/outcome';
import type { WholeState } from '@steward/shared/bridge/state';
import type { Fault } from './faults.ts';

type Given = Readonly<Record<string, unknown>>;
type Slot = WholeState['farmhands'][number];

/** A command that has been looked at: refused, or ready to be applied once it is claimed. */
export type Deed = RefusedOutcome | { readonly apply: () => AppliedOutcome };

/** What the game does when it is told to, in so far as it changes what can be read. */
export function deed(state: WholeState, name: CommandName, given: Given, fault?: Fault): Deed {
  switch (name) {
    case 'setRenderRate':
      return change({ fps: state.rendering.fps }, { fps: given['fps'] }, () => {
        state.rendering.fps = Number(given['fps']);
      });
    case 'setTime':
      return change({ timeOfDay: state.status.timeOfDay }, { timeOfDay: given['value'] }, () => {
        state.status.timeOfDay = Number(given['value']);
      });
    case 'grantAdmin':
      return toFarmhand(state, given, (slot) =>
        change(
          { isAdmin: slot.isAdmin },
          { isAdmin: true },
          () => {
            slot.isAdmin = true;
          },
          slot,
        ),
      );
    case 'deleteFarmhand':
      return toFarmhand(state, given, (slot) => {
        if (slot.isOnline) return refused('online', `${slot.name} is online`);
        const remove = () => {
          state.farmhands = state.farmhands.filter(({ id }) => id !== slot.id);
        };
        return change({ exists: true }, { exists: false }, remove, slot);
      });
    case 'kick':
      return toFarmhand(state, given, (slot) => {
        if (!slot.isOnline && fault !== 'kicks-anybody') return refused('offline', `${slot.name} is offline`);
        const sendAway = () => {
          slot.isOnline = false;
          state.players = state.players.filter(({ id }) => id !== slot.id);
          state.status.playerCount = state.players.length;
        };
        return change({ isOnline: true }, { isOnline: false }, sendAway, slot);
      });
    case 'clearStamp': {
      const slot = state.farmhands.find(({ id }) => id === given['farmhandId']);
      if (slot === undefined) return refused('not-found', 'There is no such farmhand');
      return change(slot.stamp === undefined ? {} : { stamp: slot.stamp }, {}, () => {
        delete slot.stamp;
      });
    }
    case 'linkLobby': {
      const { lobby } = state.networks.network;
      if (lobby === undefined) return refused('not-found', 'There is no lobby');
      const { platformLobbyId: before } = lobby;
      const { platformLobbyId: after } = given as { platformLobbyId?: string };
      return change(linked(before), linked(after), () => {
        if (after === undefined) delete lobby.platformLobbyId;
        else lobby.platformLobbyId = after;
      });
    }
    case 'applySettings': {
      const { server } = commands.applySettings.params.parse(given).settings;
      // This game can change who may join while it runs; where cabins stand it reads when it starts.
      const inEffect = { ...server, cabinStrategy: state.cabins.strategy };
      const before = { ...inEffect, maxPlayers: state.status.maxPlayers };
      return change({ server: before }, { server: inEffect }, () => {
        state.status.maxPlayers = server.maxPlayers;
      });
    }
    case 'save':
      if (state.players.length > 0) return refused('players-online', 'Somebody is on the farm');
      return saved(state, 1);
    case 'stop':
      return saved(state, state.players.length > 0 ? 0 : 1);
    default:
      return change({}, {}, () => {});
  }
}

/** What is wrong with the values, where something is. */
export function outOfRange(name: CommandName, given: Given): RefusedOutcome | undefined {
  const parsed = commands[name].params.safeParse(given);
  return parsed.success ? undefined : refused('out-of-range', `${name}: ${parsed.error.issues[0]?.message}`);
}

export function refused(code: RefusedOutcome['code'], message: string): RefusedOutcome {
  return { outcome: 'refused', code, message };
}

function change(before: Given, after: Given, apply: () => void, subject?: Slot): Deed {
  const outcome: AppliedOutcome = { outcome: 'applied', before, after };
  if (subject !== undefined) outcome.subject = { id: subject.id, name: subject.name };
  return {
    apply: () => {
      apply();
      return outcome;
    },
  };
}

/** The save itself is the game's, which keeps this command with it. */
function saved({ farm }: WholeState, more: 0 | 1): Deed {
  const saveGeneration = farm?.saveGeneration ?? 0;
  return change({ saveGeneration }, { saveGeneration: saveGeneration + more }, () => {});
}

function linked(platformLobbyId: string | undefined): Given {
  return platformLobbyId === undefined ? {} : { platformLobbyId };
}

function toFarmhand(state: WholeState, given: Given, found: (slot: Slot) => Deed): Deed {
  const { target } = commands.grantAdmin.params.parse(given);
  const matches = farmhandsMeant(state.farmhands, target);
  const [first, ...more] = matches;
  if (first === undefined) return refused('not-found', 'There is no such farmhand: it was not found');
  if (more.length === 0) return found(first);
  return {
    ...refused('ambiguous', 'Several have this name: give the playerId of one'),
    matches: matches.map(({ id, name }) => ({ id, name })),
  };
}
