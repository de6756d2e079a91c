import { type CommandName, commands } from '@steward/shared/bridge/commands';
import type { AppliedOutcome, RefusedOutcome } from '@steward/shared/bridge/outcome';
import type { Fault } from './faults.ts';
import type { World } from './world.ts';

/** What this game can do. */
export const capabilities = [
  'setRenderRate',
  'setTime',
  'grantAdmin',
  'deleteFarmhand',
  'sendChat',
  'linkLobby',
  'save',
  'stop',
] as const satisfies readonly CommandName[];

type Capability = (typeof capabilities)[number];
type Given = Readonly<Record<string, unknown>>;
type Farmhand = { id: string; name: string };

/** A command that has been looked at: refused, or ready to be applied once it is claimed. */
export type Deed = RefusedOutcome | { readonly apply: () => AppliedOutcome };

export function isCapability(name: string): name is Capability {
  return (capabilities as readonly string[]).includes(name);
}

export function deed(world: World, name: Capability, given: Given, fault: Fault | undefined): Deed {
  const parsed = commands[name].params.safeParse(given);
  if (!parsed.success && fault !== 'takes-any-value') {
    return {
      outcome: 'refused',
      code: 'out-of-range',
      message: `${name}: ${parsed.error.issues[0]?.message}`,
    };
  }
  switch (name) {
    case 'setRenderRate':
      return change({ fps: world.fps }, { fps: given['fps'] }, () => {
        world.fps = Number(given['fps']);
      });
    case 'setTime':
      return change({ timeOfDay: world.now.timeOfDay }, { timeOfDay: given['value'] }, () => {
        world.now.timeOfDay = Number(given['value']);
      });
    case 'grantAdmin':
      return toFarmhand(world, given, (farmhand) =>
        change(
          { isAdmin: world.now.admins.includes(farmhand.id) },
          { isAdmin: true },
          () => world.now.admins.push(farmhand.id),
          farmhand,
        ),
      );
    case 'deleteFarmhand':
      return toFarmhand(world, given, (farmhand) =>
        change(
          { exists: true },
          { exists: false },
          () => {
            world.now.farmhands = world.now.farmhands.filter(({ id }) => id !== farmhand.id);
          },
          farmhand,
        ),
      );
    case 'linkLobby': {
      const { platformLobbyId } = given as { platformLobbyId?: string };
      return change({ ...linked(world.platformLobbyId) }, linked(platformLobbyId), () => {
        world.platformLobbyId = platformLobbyId;
      });
    }
    case 'sendChat':
      return change({}, {}, () => {});
    case 'save':
    case 'stop': {
      const { generation } = world.now;
      return change({ saveGeneration: generation }, { saveGeneration: generation + 1 }, () => {});
    }
  }
}

function change(before: Given, after: Given, apply: () => unknown, subject?: Farmhand): Deed {
  return {
    apply: () => {
      apply();
      return { outcome: 'applied', before, after, ...(subject === undefined ? {} : { subject }) };
    },
  };
}

function linked(platformLobbyId: string | undefined): Given {
  return platformLobbyId === undefined ? {} : { platformLobbyId };
}

function toFarmhand(world: World, given: Given, found: (farmhand: Farmhand) => Deed): Deed {
  const { playerId, name } = given['target'] as { playerId?: string; name?: string };
  const matches = world.now.farmhands.filter(
    (farmhand) => farmhand.id === playerId || farmhand.name.toLowerCase() === name?.toLowerCase(),
  );
  const [farmhand] = matches;
  if (farmhand === undefined) return { outcome: 'refused', code: 'not-found', message: 'no such farmhand' };
  if (matches.length > 1) return { outcome: 'refused', code: 'ambiguous', message: 'several match', matches };
  return found(farmhand);
}
