import { expect } from 'vitest';
import { parseCursor } from '../../../src/game/state/event-log.ts';

export interface Sent {
  readonly id: string;
  readonly body: string;
  /** Whether it may have been the last try: it was taken, or refused for what it says. */
  readonly isSettled: boolean;
}

export interface Message {
  readonly id: string;
  readonly type: string;
  readonly cursor: string;
}

/** What was sent, each message where it came first; what is doubled has the same id and says the same. */
export function messagesOf(sent: readonly Sent[]): readonly Message[] {
  const firsts = new Map<string, string>();
  const messages: Message[] = [];
  for (const { id, body } of sent) {
    const { type, cursor, data } = JSON.parse(body);
    const says = JSON.stringify([type, cursor, data]);
    expect(id).toBe(`${type === 'gap' ? 'gap' : 'evt'}_${cursor}`);
    if (firsts.has(id)) expect(says).toBe(firsts.get(id));
    else messages.push({ id, type, cursor });
    firsts.set(id, says);
  }
  const settled = new Set(sent.filter(({ isSettled }) => isSettled).map(({ id }) => id));
  return messages.filter(({ id }) => settled.has(id));
}

/**
 * Which of these places were never told of, and no gap stands between what was told around them. Events come in order, and behind
 * a gap comes nothing from before the place that it names.
 */
export function unsaid(messages: readonly Message[], cursors: readonly string[]): readonly string[] {
  const places = messages.map(({ type, cursor }) => ({ isGap: type === 'gap', number: numberOf(cursor) }));
  const events = places.filter(({ isGap }) => !isGap).map(({ number }) => number);
  expect(events).toEqual(events.toSorted((one, other) => one - other));
  const misplaced = places.filter(
    ({ isGap, number }, index) => isGap && places.slice(index + 1).some((later) => later.number < number),
  );
  expect(misplaced).toEqual([]);
  const told = new Set(events);
  return cursors.filter((cursor) => {
    const number = numberOf(cursor);
    if (told.has(number)) return false;
    const after = places.findIndex((place) => !place.isGap && place.number > number);
    const upTo = places.slice(0, after < 0 ? places.length : after);
    const last = upTo.findLastIndex((place) => !place.isGap && place.number < number);
    return !upTo.slice(last + 1).some(({ isGap }) => isGap);
  });
}

function numberOf(cursor: string): number {
  const parsed = parseCursor(cursor);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value.number;
}
