import { once } from 'node:events';
import type { ServerMessage } from '@steward/shared/chat/server-messages';
import { Changes } from '@steward/testing/changes';
import { WebSocket } from 'ws';
import { readServerMessage } from '../../chat/stage/client.ts';
import { type NumberedTopic, numberOf, type RestartingApi } from './restarting-api.ts';
import { StreamReader } from './stream-reader.ts';

/** Somebody who hears of topics by one door, is cut off now and then, and goes on from where it was. */
export interface Follower extends Disposable {
  readonly topics: readonly NumberedTopic[];
  /** The numbers of what it has heard. */
  readonly heard: number[];
  readonly gaps: number;
  connect(): Promise<void>;
  cut(): void;
  hearUntil(number: number): Promise<void>;
}

export type DoorName = 'ws' | 'stream' | 'poll';

export async function openFollower(
  door: DoorName,
  topics: readonly NumberedTopic[],
  api: RestartingApi,
): Promise<Follower> {
  const kinds = { ws: SocketFollower, stream: StreamFollower, poll: PollFollower };
  const follower = new kinds[door](topics, api);
  await follower.connect();
  return follower;
}

abstract class Following implements Follower {
  readonly topics: readonly NumberedTopic[];
  readonly heard: number[] = [];
  gaps = 0;
  protected readonly api: RestartingApi;
  readonly #changes = new Changes();

  constructor(topics: readonly NumberedTopic[], api: RestartingApi) {
    this.topics = topics;
    this.api = api;
  }

  abstract connect(): Promise<void>;
  abstract cut(): void;

  async hearUntil(number: number): Promise<void> {
    await this.until(() => this.heard.at(-1) === number || undefined);
  }

  [Symbol.dispose](): void {
    this.cut();
  }

  protected get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.api.key}` };
  }

  protected until<Found>(look: () => Found | undefined): Promise<Found> {
    const missing = () => `${this.constructor.name} of ${this.topics} heard only ${this.heard.slice(-5)}`;
    return this.#changes.until(look, { missing });
  }

  protected tell(item: Parameters<typeof numberOf>[0]): void {
    if (item.type === 'gap') this.gaps += 1;
    const number = numberOf(item);
    if (number !== undefined) this.heard.push(number);
    this.changed();
  }

  protected changed(): void {
    this.#changes.told();
  }
}

type Live = Extract<ServerMessage, { type: 'chat' | 'event' }>;

/** Holds what is new until what it missed has come, as the docs have it. */
class SocketFollower extends Following {
  #cursor: string | undefined;
  #socket: WebSocket | undefined;
  #missed: number | undefined;
  #held: Live[] = [];

  async connect(): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.api.port}/ws`);
    this.#socket = socket;
    this.#missed = undefined;
    this.#held = [];
    socket.on('error', () => {});
    socket.on('message', (data) => {
      if (socket === this.#socket) this.#take(readServerMessage(data.toString()));
    });
    await once(socket, 'open');
    const cursor = this.#cursor;
    socket.send(JSON.stringify({ type: 'auth', payload: { token: this.api.key } }));
    socket.send(JSON.stringify({ type: 'subscribe', payload: { topics: this.topics, cursor } }));
    if (cursor === undefined) await this.until(() => this.#cursor);
  }

  cut(): void {
    this.#socket?.terminate();
    this.#socket = undefined;
  }

  #take(message: ServerMessage): void {
    if (message.type === 'subscribed') {
      const { gap, missed, cursor } = message.payload;
      if (gap) this.gaps += 1;
      this.#missed = missed;
      if (missed === 0) this.#caughtUp(cursor);
    } else if (message.type === 'chat' || message.type === 'event') {
      if (this.#missed === undefined) this.#held.push(message);
      else {
        this.#show(message);
        if (this.#missed > 0) this.#missed -= 1;
        if (this.#missed === 0) this.#caughtUp(message.payload.cursor);
      }
    }
    this.changed();
  }

  #caughtUp(cursor: string): void {
    this.#cursor = cursor;
    for (const message of this.#held.splice(0)) this.#show(message);
  }

  /** The chat is heard by whoever is connected. */
  #show({ type, payload }: Live): void {
    this.#cursor = payload.cursor;
    if (type === 'event') this.tell(payload);
    else if (this.topics.includes('chat')) this.tell({ type: 'chat.said', data: payload });
  }
}

class StreamFollower extends Following {
  #reader: StreamReader | undefined;
  #lastEventId = '';

  async connect(): Promise<void> {
    const query = `?topics=${this.topics}`;
    const id = this.#lastEventId;
    const headers = { ...this.headers, ...(id === '' ? {} : { 'last-event-id': id }) };
    const reader = await StreamReader.open(this.api.port, {
      query,
      headers,
      heard: (item) => this.tell(item),
    });
    this.#reader = reader;
    if (id === '') await reader.until(() => reader.lastEventId !== '');
  }

  cut(): void {
    if (this.#reader === undefined) return;
    // It is kept where none has come since.
    this.#lastEventId = this.#reader.lastEventId || this.#lastEventId;
    this.#reader[Symbol.dispose]();
    this.#reader = undefined;
  }
}

/** Few a page, so that it has to go on from page to page. */
const limit = 7;

class PollFollower extends Following {
  #cursor = '';
  #leaving: AbortController | undefined;

  async connect(): Promise<void> {
    if (this.#cursor === '') this.#cursor = (await this.#page('?limit=1')).cursor;
    const leaving = new AbortController();
    this.#leaving = leaving;
    void this.#follow(leaving.signal);
  }

  cut(): void {
    this.#leaving?.abort();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const query = () => `?topics=${this.topics}&limit=${limit}&wait=25&after=${this.#cursor}`;
    while (!signal.aborted) {
      const page = await this.#page(query(), signal).catch(() => undefined);
      // The service has ended, or the follower has.
      if (page === undefined || signal.aborted) return;
      this.#cursor = page.cursor;
      if (page.gap) this.gaps += 1;
      for (const event of page.events) this.tell(event);
    }
  }

  async #page(query: string, signal?: AbortSignal) {
    const { headers } = this;
    const answer = await fetch(`${this.api.origin}/events${query}`, { headers, signal: signal ?? null });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return (await answer.json()) as Page;
  }
}

interface Page {
  readonly events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
  readonly gap: boolean;
  readonly cursor: string;
}
