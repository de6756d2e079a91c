import { playerTextCharacters } from '@steward/shared/bridge/ranges';
import { cut, oneLine } from '@steward/shared/chat/line';
import type { DrainOrder } from './drain-file.ts';

const minuteMs = 60_000;

/** The times left at which waiting players are told how long it still takes. */
export const waitMarks: readonly number[] = [60, 30, 15, 10, 5].map((minutes) => minutes * minuteMs);
export const countdownMarks: readonly number[] = [
  ...[30, 15, 10, 5, 2, 1].map((minutes) => minutes * minuteMs),
  30_000,
  10_000,
];

/** What players are told while the drain waits for its moment. */
export function waitingWords(order: DrainOrder, leftMs: number): string {
  const moment = order.when === 'day-end' ? 'when this day has ended' : 'when everybody has left';
  return `${deed(order)} ${moment}, in ${lasting(leftMs)} at the latest${because(order)}`;
}

export function countdownWords(order: DrainOrder, leftMs: number): string {
  return `${deed(order)} in ${lasting(leftMs)}: please finish now${because(order)}`;
}

/** What players see who are disconnected, or who try to join meanwhile. */
export function closedWords(order: DrainOrder): string {
  const what = order.restart ? 'restarts, and is back in a few minutes' : 'stops';
  return cut(oneLine(`The server ${what}${because(order)}`), playerTextCharacters).text;
}

function deed({ restart }: DrainOrder): string {
  return `The server ${restart ? 'restarts' : 'stops'}`;
}

function because({ message }: DrainOrder): string {
  return message === undefined ? '' : ` (${message})`;
}

function lasting(ms: number): string {
  const [count, unit] =
    ms >= minuteMs ? [Math.round(ms / minuteMs), 'minute'] : [Math.max(1, Math.round(ms / 1_000)), 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
