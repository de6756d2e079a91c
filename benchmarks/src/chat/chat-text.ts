import { stringifyExact } from '@steward/service-kit/json';
import { shownEvent } from '@steward/shared/events/shown-event';

const author = 'Abigail';
const said = 'The parsnips are ready, who has a free hand for the harvest?';

/** What a player says in these measurements; a frame of it has some 190 bytes. */
export const chatEvent = {
  type: 'chat.said',
  data: { playerId: '5512', playerName: author, message: said },
} as const;

export const epoch = 'bench';

/** The same text that the relay makes of the event, for a bare broadcast. */
export function chatText(number: number, at: Date): string {
  const payload = {
    playerName: author,
    message: said,
    timestamp: at.toISOString(),
    cursor: `${epoch}-${number}`,
  };
  return JSON.stringify({ type: 'chat', payload });
}

const longestShortFrame = 125;

/** The bytes of the frame around that text. */
export function frameBytes(number: number): number {
  const text = Buffer.byteLength(chatText(number, new Date(0)));
  return text + (text <= longestShortFrame ? 2 : 4);
}

/** The bytes of the same message in a stream of Server-Sent Events. */
export function streamedBytes(number: number): number {
  const cursor = `${epoch}-${number}`;
  const shown = stringifyExact(shownEvent(chatEvent, { at: new Date(0), cursor }, false));
  return Buffer.byteLength(`id: ${cursor}\ndata: ${shown}\n\n`);
}
