import { signal } from '@preact/signals';
import type { Event } from '@steward/client';
import { chatOver } from '@steward/client/chat';
import { serverNow } from '../../farm/clock.ts';
import type { FarmStore } from '../../farm/farm-store.ts';
import { databaseOf } from '../../parts/events.ts';

/** What became of a line that was said here. */
export type Fate = 'sending' | 'delivered' | 'refused' | 'unknown';

export interface Line {
  /** Older ones have lower numbers, and what is found later of the past goes below nought. */
  readonly number: number;
  /** Its place among the events; absent of what was said here. */
  readonly cursor?: string;
  readonly at: string;
  /** Nobody said it: something of the chat is lost there. */
  readonly isGap?: true;
  readonly playerId?: string;
  readonly name: string;
  readonly text: string;
  readonly fate?: Fate;
  readonly reason?: string | undefined;
}

type Unnumbered = Omit<Line, 'number'>;

/** Enough for a screen and some; more comes when somebody goes back. */
const firstLines = 200;
/** As many as the server gives at once. */
const mostLines = 1_000;
/** A page stays open for weeks. More than this and what somebody has gone back for is let go, and can be loaded again. */
export const mostHeld = 5_000;
/** So that not every line has the whole chat looked through. */
const letGoAtOnce = 500;

const logs = new WeakMap<FarmStore, ChatLog>();

/** What was said on a farm as far as this page knows: kept over views, so that nobody loads it twice and one's own lines stay. */
export class ChatLog {
  readonly lines = signal<readonly Line[]>([]);
  /** Whether there is more of the past than is known here; undefined until the first answer. */
  readonly hasMore = signal<boolean | undefined>(undefined);
  /** Whether something before the first line may be missing: it is too old, was lost, or cannot be read now. */
  readonly mayMiss = signal(false);
  readonly isLoading = signal(false);
  readonly error = signal<unknown>(undefined);
  readonly #store: FarmStore;
  readonly #known = new Set<string>();
  #oldest: string | undefined;
  /** Behind all that is known. */
  #place: string | undefined;
  #first = 0;
  #next = 0;
  /** So many lines were there when somebody went back last. */
  #asked = 0;

  static of(store: FarmStore): ChatLog {
    const log = logs.get(store) ?? new ChatLog(store);
    logs.set(store, log);
    return log;
  }

  private constructor(store: FarmStore) {
    this.#store = store;
    // From now on for as long as the farm is known: what is said while another view is shown belongs here, too.
    store.onEvent((event) => this.#happened(event));
    store.onOpen(() => void this.#opened());
  }

  /** Loads what was said before; the server gives the newest of it, the oldest first. */
  async goBack(limit: number = firstLines): Promise<void> {
    if (this.isLoading.peek() || this.hasMore.peek() === false) return;
    this.isLoading.value = true;
    this.error.value = undefined;
    const oldest = this.#oldest;
    try {
      const before = oldest === undefined ? {} : { before: oldest };
      const {
        events,
        gap,
        cursor: place,
      } = await this.#store.client.getEvents({
        topics: 'chat',
        limit,
        ...before,
      });
      if (oldest !== undefined && databaseOf(oldest) !== databaseOf(place)) {
        this.#beginAgain();
        return await this.goBack(limit);
      }
      if (this.#oldest === undefined) this.#place = place;
      this.#oldest = events[0]?.cursor ?? this.#oldest;
      const fresh = events.filter(({ cursor }) => !this.#known.has(cursor));
      for (const { cursor } of fresh) this.#known.add(cursor);
      const said = fresh.map(lineOf).filter((line) => line !== undefined);
      this.#first -= said.length;
      const numbered = said.map((line, index) => ({ ...line, number: this.#first + index }));
      this.lines.value = [...numbered, ...this.lines.peek()];
      this.#asked = this.lines.peek().length;
      const isFull = events.length === limit;
      // What is missing may lie between these: before the first alone something can be older.
      if (gap && !isFull && events.length > 0) {
        this.isLoading.value = false;
        return await this.goBack(limit);
      }
      this.mayMiss.value = gap && !isFull;
      this.hasMore.value = isFull;
    } catch (error) {
      this.error.value = error;
    }
    this.isLoading.value = false;
  }

  /** As much of the past as comes at once, for who looks for something in it. */
  lookFurther(): Promise<void> {
    return this.goBack(mostLines);
  }

  /** Says a line; it stands there at once, and what became of it beside it. */
  async say(author: string, text: string): Promise<void> {
    const number = this.#add({
      at: new Date(serverNow()).toISOString(),
      name: author,
      text,
      fate: 'sending',
    });
    try {
      const { status, reason } = await chatOver(this.#store.client).say(author, text);
      this.#settle(number, status, reason);
    } catch (error) {
      this.#settle(number, 'refused', error instanceof Error ? error.message : undefined);
    }
  }

  async #opened(): Promise<void> {
    if (this.hasMore.peek() !== undefined) await this.#catchUp();
    // What was missing may be there by now.
    if (this.mayMiss.peek()) this.hasMore.value = undefined;
    if (this.hasMore.peek() === undefined) await this.goBack();
  }

  /** Another database counts in its own way: no place that is known here is one of its own. */
  #beginAgain(): void {
    this.#known.clear();
    this.#oldest = undefined;
    this.lines.value = [];
    this.hasMore.value = undefined;
    this.isLoading.value = false;
  }

  /** What was said between the last answer and the connection, which tells of what happens from then on. */
  async #catchUp(): Promise<void> {
    try {
      const after = this.#place === undefined ? {} : { after: this.#place };
      const asked = { topics: 'chat', limit: mostLines, ...after };
      for (const event of (await this.#store.client.getEvents(asked)).events) this.#happened(event);
    } catch (error) {
      this.error.value = error;
    }
  }

  #happened(event: Event): void {
    const line = lineOf(event);
    // What is lost is lost behind something that is known.
    const key = event.type === 'gap' ? `gap ${event.cursor}` : event.cursor;
    if (line === undefined || this.#known.has(key)) return;
    this.#known.add(key);
    this.#oldest ??= event.cursor;
    this.#place = event.cursor;
    this.#add(line);
  }

  #add(line: Unnumbered): number {
    const number = this.#next;
    this.#next += 1;
    this.lines.value = this.#held([...this.lines.peek(), { ...line, number }]);
    return number;
  }

  #held(lines: readonly Line[]): readonly Line[] {
    const most = Math.max(mostHeld, this.#asked);
    if (lines.length <= most + letGoAtOnce) return lines;
    for (const { cursor } of lines.slice(0, -most)) if (cursor !== undefined) this.#known.delete(cursor);
    const kept = lines.slice(-most);
    this.#oldest = kept.find(({ cursor }) => cursor !== undefined)?.cursor;
    this.hasMore.value = true;
    return kept;
  }

  #settle(number: number, fate: Fate, reason: string | undefined): void {
    this.lines.value = this.lines
      .peek()
      .map((line) => (line.number === number ? { ...line, fate, reason } : line));
  }
}

function lineOf(event: Event): Unnumbered | undefined {
  const { at, cursor } = event;
  if (event.type === 'gap') return { cursor, at, isGap: true, name: '', text: '' };
  if (event.type !== 'chat.said') return undefined;
  const { playerId, playerName: name, message: text } = event.data;
  return { cursor, at, playerId: String(playerId), name, text };
}
