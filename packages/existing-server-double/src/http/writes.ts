import type { Character, Target } from '../farm/character.ts';
import type { ExistingFarm } from '../farm/existing-farm.ts';
import { GameThreadBlocked, type ThreadBudgets } from '../farm/game-thread.ts';
import type { Exchange } from './exchange.ts';
import { readInt32, readInt64 } from './numbers.ts';

type Write = (exchange: Exchange) => Promise<object>;

const notReady = 'Server not ready';

/** What the writes do and answer. A refusal is a success of the transport: 200, and `success: false`. */
export function writesOf(farm: ExistingFarm, budgets: ThreadBudgets): Readonly<Record<string, Write>> {
  const act = <Result>(action: () => Result, budgetMs = budgets.actionMs): Promise<Result> =>
    farm.thread.run(() => {
      const result = action();
      farm.publish();
      if (farm.fault !== undefined) throw new Error(farm.fault);
      return result;
    }, budgetMs);

  return {
    'POST /rendering': async (exchange) => {
      const fps = readInt32(exchange.parameter('fps'));
      const previousFps = farm.fps;
      if (fps === undefined || fps < 0)
        return {
          success: false,
          fps: previousFps,
          previousFps: 0,
          error: "Missing or invalid 'fps' parameter (expected non-negative integer; 0 disables rendering)",
        };
      await act(() => {
        farm.fps = fps;
      });
      return { success: true, fps, previousFps, message: 'Rendering updated' };
    },
    'POST /time': async (exchange) => {
      const text = exchange.parameter('value');
      const { timeOfDay } = farm.calendar;
      const refuse = (error: string) => ({ success: false, timeOfDay, error });
      if (text === undefined) return refuse("Missing 'value' query parameter (e.g., 1200 for noon)");
      const value = readInt32(text);
      if (value === undefined) return refuse(`Invalid value '${text}' (expected integer like 1200 for noon)`);
      if (value < 600 || value > 2600) return refuse(`Value ${value} out of range (600-2600)`);
      if (!farm.isLoaded) return refuse(notReady);
      await act(() => {
        farm.calendar.timeOfDay = value;
      });
      return { success: true, timeOfDay: value, message: 'Time set' };
    },
    'POST /roles/admin': async (exchange) => {
      const refuse = (error: string) => ({ success: false, playerId: 0, error });
      const { target, error } = targetOf(exchange);
      if (target === undefined) return refuse(error);
      if (!farm.isLoaded) return refuse(notReady);
      const found = await act((): Character | undefined => {
        const character = farm.find(target);
        if (character !== undefined) character.isAdmin = true;
        return character;
      });
      if (found === undefined) return refuse(`Player ${quoted(target)} not found`);
      return { success: true, playerId: found.id, playerName: found.name, message: 'Admin granted' };
    },
    'DELETE /farmhands': async (exchange) => {
      const refuse = (error: string) => ({ success: false, error });
      const { target, error } = targetOf(exchange);
      if (target === undefined) return refuse(error);
      if (!farm.isLoaded) return refuse(notReady);
      if (farm.isSaving) return refuse('Cannot delete farmhand while save is in progress');
      try {
        const deletion = await act(() => farm.delete(target), budgets.deletionMs);
        if (deletion === 'not-found') return refuse(`Farmhand ${quoted(target)} not found`);
        if (deletion === 'online')
          return refuse(`Cannot delete farmhand ${quoted(target)} - currently online`);
        return { success: true, message: 'Farmhand deleted' };
      } catch (thrown) {
        // The one write that turns whatever goes wrong into an answer of its own, also once the farmhand is gone.
        if (thrown instanceof GameThreadBlocked) return refuse('Deletion timed out');
        return refuse(thrown instanceof Error ? thrown.message : String(thrown));
      }
    },
  };
}

/** Whom it was asked for, as its refusals name them. */
function quoted(target: Target): string {
  return 'playerId' in target ? `id=${target.playerId}` : `'${target.name}'`;
}

type Asked =
  | { readonly target: Target; readonly error?: never }
  | { readonly target?: never; readonly error: string };

function targetOf(exchange: Exchange): Asked {
  const name = exchange.parameter('name');
  const playerId = exchange.parameter('playerId');
  if (name === undefined && playerId === undefined)
    return { error: "Missing 'name' or 'playerId' query parameter" };
  if (name !== undefined && playerId !== undefined)
    return { error: "Provide either 'name' or 'playerId', not both" };
  if (name !== undefined) return { target: { name } };
  const id = readInt64(playerId);
  return id === undefined
    ? { error: `Invalid 'playerId' value: '${playerId}'` }
    : { target: { playerId: id } };
}
