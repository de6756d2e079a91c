import { z } from 'zod';
import { identity } from '../identities.ts';
import { int64Text, uint64Text } from '../wire-values.ts';
import { farmId, saveGeneration } from './hello.ts';
import { fastestRendering, playerTextUnits, timeOfDay } from './ranges.ts';
import { gameSettings, serverSettings } from './settings.ts';

/** One player, by the stable id or by a name that the game matches without regard to case. */
export const playerTarget = z.union([
  z.strictObject({ playerId: int64Text }),
  z.strictObject({ name: z.string().min(1).max(200) }),
]);

export type PlayerTarget = z.infer<typeof playerTarget>;

const nothing = z.object({});
const lobbyLink = z.object({ platformLobbyId: uint64Text.optional() });
const saved = z.object({ saveGeneration });
const loaded = z.object({ farmId: farmId.optional() });
const fps = z.object({ fps: z.int().min(0).max(fastestRendering) });

/**
 * What a game can be told to do. `params` travel beside the command id; `change` is the form of `before` and `after`;
 * `outcomeMs` is how long a game that holds the claim may take.
 */
export const commands = {
  setRenderRate: { params: fps, change: fps, outcomeMs: 10_000 },
  setTime: {
    params: z.object({ value: z.int().min(timeOfDay.earliest).max(timeOfDay.latest) }),
    change: z.object({ timeOfDay: z.int() }),
    outcomeMs: 10_000,
  },
  grantAdmin: {
    params: z.object({ target: playerTarget }),
    change: z.object({ isAdmin: z.boolean() }),
    outcomeMs: 10_000,
  },
  deleteFarmhand: {
    params: z.object({ target: playerTarget }),
    change: z.object({ exists: z.boolean() }),
    outcomeMs: 15_000,
  },
  clearStamp: {
    params: z.object({ farmhandId: int64Text }),
    change: z.object({ stamp: identity(uint64Text).optional() }),
    outcomeMs: 10_000,
  },
  sendChat: {
    params: z.object({ author: z.string().min(1).max(64), message: z.string().min(1).max(1_000) }),
    change: nothing,
    outcomeMs: 10_000,
  },
  announce: {
    params: z.object({ message: z.string().min(1).max(1_000) }),
    change: nothing,
    outcomeMs: 10_000,
  },
  kick: {
    params: z.object({
      target: playerTarget,
      reason: z.string().min(1).max(playerTextUnits).optional(),
    }),
    change: z.object({ isOnline: z.boolean() }),
    outcomeMs: 10_000,
  },
  applySettings: {
    params: z.object({ settings: gameSettings }),
    change: z.object({ server: serverSettings }),
    outcomeMs: 10_000,
  },
  linkLobby: { params: lobbyLink, change: lobbyLink, outcomeMs: 15_000 },
  newFarm: { params: z.object({ game: gameSettings.shape.game }), change: loaded, outcomeMs: 150_000 },
  loadFarm: { params: z.object({ farmId }), change: loaded, outcomeMs: 150_000 },
  save: { params: nothing, change: saved, outcomeMs: 60_000 },
  stop: { params: nothing, change: saved, outcomeMs: 60_000 },
} as const;

export type CommandName = keyof typeof commands;

/** After these the game has another farm, whose journal has them. */
export const farmChanges = ['newFarm', 'loadFarm'] as const satisfies readonly CommandName[];

/** A command and what it needs, as the control API's routes give it. */
export type Command = {
  [Name in CommandName]: { readonly name: Name; readonly params: z.infer<(typeof commands)[Name]['params']> };
}[CommandName];

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** Names one command for good: in its request, its claim, the game's journal and `GET /operations/{id}`. */
export const commandId = uint64Text;

/** Stands in the params of every command's request. */
export const commandParams = z.looseObject({ command: commandId });
