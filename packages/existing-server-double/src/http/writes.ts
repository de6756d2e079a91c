import type { Character, Target } from '../farm/character.ts';
import type { ExistingFarm } from '../farm/existing-farm.ts';
import type { Exchange } from './exchange.ts';
import { readInt32, readInt64 } from './numbers.ts';

export interface WriteLimits {
  /** How long the game's thread may take to come to an ordinary action. */
  readonly actionMs: number;
  /** The same for a deletion, which says so itself instead of failing as a whole. */
  readonly deletionMs: number;
}

export const writeLimits: WriteLimits = { actionMs: 5_000, deletionMs: 15_000 };

type Write = (exchange: Exchange) => Promise<object>;

/** What the writes do and answer. A refusal is a success of the transport: 200, and `success: false`. */
export function writesOf(farm: ExistingFarm, limits: WriteLimits): Readonly<Record<string, Write>> {
  const act = <Result>(action: () => Result): Promise<Result> =>
    farm.thread.run(() => {
      const result = action();
      farm.publish();
      return result;
    }, limits.actionMs);

  return {
    'POST /rendering': async (exchange) => {
      const fps = readInt32(exchange.parameter('fps'));
      const previousFps = farm.fps;
      if (fps === undefined || fps < 0)
        return {
          success: false,
          fps: previousFps,
          previousFps: 0,
          error: 'fps must be a non-negative integer',
        };
      await act(() => {
        farm.fps = fps;
      });
      return { success: true, fps, previousFps, message: 'Rendering updated' };
    },
    'POST /time': async (exchange) => {
      const value = readInt32(exchange.parameter('value'));
      const { timeOfDay } = farm.calendar;
      if (value === undefined) return { success: false, timeOfDay, error: 'value must be an integer' };
      if (value < 600 || value > 2600) return { success: false, timeOfDay, error: 'value is out of range' };
      await act(() => {
        farm.calendar.timeOfDay = value;
      });
      return { success: true, timeOfDay: value, message: 'Time set' };
    },
    'POST /roles/admin': async (exchange) => {
      const target = targetOf(exchange);
      if ('error' in target) return { success: false, playerId: 0, error: target.error };
      const found = await act((): Character | undefined => {
        const character = farm.find(target);
        if (character !== undefined) character.isAdmin = true;
        return character;
      });
      if (found === undefined) return { success: false, playerId: 0, error: 'Player not found' };
      return { success: true, playerId: found.id, playerName: found.name, message: 'Admin granted' };
    },
    'DELETE /farmhands': async (exchange) => {
      const target = targetOf(exchange);
      if ('error' in target) return { success: false, error: target.error };
      if (farm.isInDayTransition) return { success: false, error: 'Save in progress' };
      const done = farm.thread.run(() => {
        const deletion = farm.delete(target);
        farm.publish();
        return deletion;
      }, limits.deletionMs);
      // The one write that turns a blocked thread into an answer of its own.
      const deletion = await done.catch(() => 'blocked' as const);
      if (deletion === 'deleted') return { success: true, message: 'Farmhand deleted' };
      return { success: false, error: refusals[deletion] };
    },
  };
}

const refusals = {
  'not-found': 'Farmhand not found',
  online: 'Farmhand is currently online',
  blocked: 'Timed out waiting for the game thread',
} as const;

function targetOf(exchange: Exchange): Target | { readonly error: string } {
  const name = exchange.parameter('name');
  const playerId = exchange.parameter('playerId');
  if (name === undefined && playerId === undefined) return { error: 'Either name or playerId is required' };
  if (name !== undefined && playerId !== undefined) return { error: 'Give name or playerId, not both' };
  if (name !== undefined) return { name };
  const id = readInt64(playerId);
  return id === undefined ? { error: 'Invalid playerId' } : { playerId: id };
}
