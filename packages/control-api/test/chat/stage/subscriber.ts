import { once } from 'node:events';
import type { ServerMessage } from '@steward/shared/chat/server-messages';
import type { Topic } from '@steward/shared/events/event-types';
import { Changes } from '@steward/testing/changes';
import { WebSocket } from 'ws';
import { readServerMessage } from './client.ts';

type Told = Extract<ServerMessage, { type: 'chat' | 'event' }>;
type Subscribed = Extract<ServerMessage, { type: 'subscribed' }>['payload'];

/** A client as the docs describe it: what was missed counts when all of it has come, and behind it what came before. */
export class Subscriber {
  readonly heard: string[] = [];
  gaps = 0;
  readonly topics: readonly Topic[];
  readonly #url: string;
  readonly #key: string;
  readonly #changes = new Changes();
  #cursor: string | undefined;
  #socket: WebSocket | undefined;
  #subscribed: Subscribed | undefined;
  #held: Told[] = [];
  #missed: Told[] = [];
  #isCaughtUp = false;

  constructor(url: string, key: string, topics: readonly Topic[]) {
    this.#url = url;
    this.#key = key;
    this.topics = topics;
  }

  /** A first connection waits for its place, from which nothing is lost. */
  async connect(): Promise<void> {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#subscribed = undefined;
    this.#isCaughtUp = false;
    this.#held = [];
    this.#missed = [];
    socket.on('error', () => {});
    socket.on('message', (data) => {
      if (socket === this.#socket) this.#take(readServerMessage(data.toString()));
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'auth', payload: { token: this.#key } }));
  }

  /** At once, or later in the connection. */
  async subscribe(): Promise<void> {
    const payload = { topics: this.topics, ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }) };
    this.#socket?.send(JSON.stringify({ type: 'subscribe', payload }));
    await this.#until(() => this.#cursor !== undefined);
  }

  /** Waits for an answer of the server, behind which is what it had to tell before. */
  async answered(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket?.once('pong', () => resolve());
    this.#socket?.once('close', () => resolve());
    this.#socket?.ping();
    await promise;
  }

  hearUntil(cursor: string): Promise<true> {
    return this.#until(() => this.heard.at(-1) === cursor);
  }

  cut(): void {
    this.#socket?.terminate();
    this.#socket = undefined;
  }

  #until(isSo: () => boolean): Promise<true> {
    const missing = () => `not so after ${this.heard.at(-1)}`;
    return this.#changes.until(() => isSo() || undefined, { missing });
  }

  #take(message: ServerMessage): void {
    if (message.type === 'subscribed') {
      this.#subscribed = message.payload;
      if (message.payload.gap) this.gaps += 1;
      this.#catchUp();
    } else if (message.type === 'chat' || message.type === 'event') this.#hear(message);
    this.#changes.told();
  }

  #hear(told: Told): void {
    if (this.#isCaughtUp) this.#show(told);
    else if (this.#subscribed === undefined) this.#held.push(told);
    else {
      this.#missed.push(told);
      this.#catchUp();
    }
  }

  #catchUp(): void {
    if (this.#subscribed === undefined || this.#missed.length < this.#subscribed.missed) return;
    this.#isCaughtUp = true;
    for (const told of [...this.#missed, ...this.#held]) this.#show(told);
    this.#cursor = this.#subscribed.cursor;
  }

  #show({ payload: { cursor } }: Told): void {
    this.heard.push(cursor);
    this.#cursor = cursor;
  }
}
