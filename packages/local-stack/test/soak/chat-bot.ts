import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { key } from '../chaos/programs.ts';
import type { ChatLedger } from './chat-ledger.ts';
import { Receipts } from './receipts.ts';

const againMs = 100;

const chat = z.object({ playerName: z.string(), message: z.string(), cursor: z.string() });
const resumed = z.object({ missed: z.int(), gap: z.boolean(), cursor: z.string() });
const sent = z.object({ id: z.string(), status: z.string() });
const frame = z.object({ type: z.string(), payload: z.unknown().optional() });

type Chat = z.infer<typeof chat>;

/** A bot as docs/chat-bots.md describes it: it comes back by itself, goes on where it was, and speaks with receipts. */
export class ChatBot {
  readonly name: string;
  readonly receipts: Receipts;
  connections = 0;
  readonly #port: number;
  readonly #key: string;
  readonly #ledger: ChatLedger;
  #cursor: string | undefined;
  #socket: WebSocket | undefined;
  #stopped = false;
  readonly #living: Promise<void>;

  constructor(name: string, port: number, ledger: ChatLedger, token = key) {
    this.name = name;
    this.#port = port;
    this.#key = token;
    this.#ledger = ledger;
    this.receipts = new Receipts(name, ledger.violations);
    this.#living = this.#live();
  }

  get isPlaced(): boolean {
    return this.#socket !== undefined;
  }

  say(message: string): void {
    if (this.#socket === undefined) return;
    const id = this.receipts.next();
    send(this.#socket, 'chat_send', { author: this.name, message, id });
  }

  /** Hangs up, as a bot does that is started again; it keeps its cursor. */
  leave(): void {
    this.#socket?.close();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#socket?.terminate();
    await this.#living;
  }

  async #live(): Promise<void> {
    while (!this.#stopped) {
      await this.#connect();
      this.receipts.lost();
      await pause(againMs);
    }
  }

  #connect(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}/ws`, { handshakeTimeout: 5_000 });
    const held: Chat[] = [];
    let toCome: number | undefined;
    const caughtUp = () => {
      for (const each of held.splice(0)) this.#show(each);
      this.#socket = socket;
    };
    this.connections += 1;
    socket.on('open', () => {
      send(socket, 'auth', { token: this.#key });
      send(socket, 'resume', { cursor: this.#cursor });
    });
    socket.on('message', (data) => {
      const { type, payload } = frame.parse(JSON.parse(String(data)));
      if (type === 'chat' && toCome === undefined) held.push(chat.parse(payload));
      else if (type === 'chat') {
        this.#show(chat.parse(payload));
        toCome = Math.max(0, (toCome ?? 0) - 1);
        if (toCome === 0 && this.#socket !== socket) caughtUp();
      } else if (type === 'resumed') {
        const { missed, gap, cursor } = resumed.parse(payload);
        toCome = missed;
        if (gap) this.#ledger.gap(this.name, this.#cursor ?? '', cursor);
        else if (this.#cursor === undefined) this.#ledger.placed(this.name, cursor);
        if (missed > 0) return;
        this.#cursor = cursor;
        caughtUp();
      } else if (type === 'chat_sent') this.receipts.came(sent.parse(payload));
      else if (type !== 'auth_success')
        this.#ledger.violations.push(`${this.name} was told ${type}: ${JSON.stringify(payload)}`);
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#socket = undefined;
      resolve();
    });
    if (this.#stopped) socket.terminate();
    return promise;
  }

  #show({ cursor, playerName, message }: Chat): void {
    this.#ledger.heard(this.name, cursor, `${playerName}: ${message}`);
    this.#cursor = cursor;
  }
}

function send(socket: WebSocket, type: string, payload: object): void {
  socket.send(JSON.stringify({ type, payload }));
}
