import { z } from 'zod';
import { humanText, int64Text, lineInGame, nameInGame, uint64Text } from '../wire-values.ts';
import { saveGeneration } from './hello.ts';
import { season } from './state.ts';

const person = { playerId: int64Text, playerName: nameInGame };
const connected = { ...person, connectionId: z.string().max(200) };
const date = { day: z.int().min(1).max(28), season, year: z.int().min(1) };
const slot = { farmhandId: int64Text, name: nameInGame };

function kind<Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.object({ kind: z.literal(name), ...shape });
}

/**
 * What happened in the game, told once and in order. Only public chat is told: private messages and texts that begin
 * with `!` after trimming never leave the game.
 */
export const gameEvent = z.discriminatedUnion('kind', [
  kind('chat', { ...person, message: lineInGame }),
  kind('playerJoined', connected),
  kind('playerLeft', connected),
  kind('dayStarted', date),
  kind('dayEnded', date),
  kind('saved', { saveGeneration }),
  kind('slotCustomized', slot),
  kind('slotAbandoned', { farmhandId: int64Text }),
  kind('slotDeleted', slot),
  kind('networkSignedIn', {}),
  kind('networkSignedOut', { why: humanText(500) }),
  kind('lobbyOpened', { lobbyId: uint64Text }),
  kind('lobbyClosed', { lobbyId: uint64Text, why: humanText(500) }),
]);

export type GameEvent = z.infer<typeof gameEvent>;
export type GameEventKind = GameEvent['kind'];

/** The `event` notification. An unknown kind comes from a newer game and is ignored. */
export const eventParams = z.object({ event: gameEvent });

const kinds: ReadonlySet<string> = new Set(gameEvent.options.map((option) => option.shape.kind.value));

/** Whether this version knows such events at all; what it knows must also be valid. */
export function isGameEventKind(name: unknown): name is GameEventKind {
  return typeof name === 'string' && kinds.has(name);
}
