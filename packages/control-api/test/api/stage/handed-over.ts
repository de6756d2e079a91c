import type { ScriptedGame } from '@steward/testing/game/scripted-game';
import { expect } from 'vitest';

/** The game was sent a command, and has claimed it where its mood lets it do so: from here on time may pass. */
export async function handedOver(game: Pick<ScriptedGame, 'mood' | 'heard' | 'held'>): Promise<void> {
  const { length } = game.mood === 'silent' ? game.heard : game.held;
  if (length > 0) return;
  await expect.poll(() => (game.mood === 'silent' ? game.heard : game.held)).not.toEqual([]);
}
