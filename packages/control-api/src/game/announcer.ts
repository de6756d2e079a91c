import { codePoints, shownMessage } from '@steward/shared/chat/line';
import { accepted, type Parsed } from '@steward/shared/parsed';
import type { GameBridge } from './game-bridge.ts';
import type { CommandResult } from './operations/operation.ts';

/** What became of an announcement, and how many characters were shown where that is not all of it. */
export interface Announced {
  readonly result: CommandResult;
  readonly cutTo: number | undefined;
}

/** Says a line of the server's to everybody in the game. A text of which nothing can be seen is refused. */
export interface Announcer {
  announce(message: string, idempotencyKey?: string): Promise<Parsed<Announced>>;
}

export function announcerOver(bridge: Pick<GameBridge, 'run'>): Announcer {
  return {
    async announce(given, idempotencyKey) {
      const shown = shownMessage(given);
      if (!shown.ok) return shown;
      const { text: message, isCut } = shown.value;
      const result = await bridge.run({ name: 'announce', params: { message } }, { idempotencyKey });
      return accepted({ result, cutTo: isCut ? codePoints(message) : undefined });
    },
  };
}
