import type { Clock, Timer } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Audit } from '../audit/audit.ts';
import { CatchUp } from '../events/catch-up.ts';
import { type Encode, EventFrames, type EventTexts } from '../events/event-frames.ts';
import { Feeds, type ToldCounts } from '../events/feeds.ts';
import { fullSeconds, type Seats } from '../events/seats.ts';
import { isPublicChat } from '../game/bridge-events.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import type { Events } from '../game/state/event-log.ts';
import type { Caller } from '../keys/caller.ts';
import { type Channel, ChatConnection, type ChatKeys, type ConnectionParts } from './chat-connection.ts';
import { encodeAsEvents, encodeForSockets } from './chat-frames.ts';
import { ChatCounts, type Refusal } from './closings.ts';
import type { Manner } from './hearing.ts';
import type { ChatRelayLimits } from './limits.ts';
import {
  type ChatLine,
  receiptOf,
  recordedChat,
  type Said,
  type SendChat,
  sendChatOver,
} from './send-chat.ts';

export interface Refused {
  readonly limit: Refusal;
  readonly waitSeconds: number;
}

export interface RelayParts {
  readonly bridge: Pick<GameBridge, 'run' | 'state'> & { readonly events: Events<StewardEvent> };
  /** What is told now and never again. */
  readonly live: Pick<Events<StewardEvent>, 'follow'>;
  /** Undefined where the server has no key. */
  readonly keys: ChatKeys | undefined;
  readonly limits: ChatRelayLimits;
  /** Which all doors share, and what they show. */
  readonly seats: Seats;
  readonly texts: EventTexts;
  readonly clock: Clock;
  readonly audit: Pick<Audit, 'begin' | 'whyNot'>;
}

/** Everybody who listens to the chat, and the way between them and the game. */
export class ChatRelay {
  readonly counts = new ChatCounts();
  readonly #limits: ChatRelayLimits;
  readonly #clock: Clock;
  readonly #parts: ConnectionParts;
  readonly #sendChat: SendChat;
  readonly #unfollow: () => void;
  readonly #forgetKeys: (() => void) | undefined;
  readonly #seats: Seats;
  readonly #feeds: readonly Feeds[];
  /** Those whose sockets are open, with what gives back the seat of each. */
  readonly #open = new Map<ChatConnection, () => void>();
  /** In the order in which they came. */
  readonly #unauthenticated = new Set<ChatConnection>();
  #probing: Timer | undefined;

  constructor({ bridge, live, keys, limits, seats, texts, clock, audit }: RelayParts) {
    const { events } = bridge;
    const mannerOf = (encode: Encode): Manner => {
      const frames = new EventFrames(texts, encode);
      return { frames, feeds: new Feeds({ events, live, frames, limits }) };
    };
    const asChat = mannerOf(encodeForSockets);
    const asEvents = mannerOf(encodeAsEvents);
    this.#feeds = [asChat.feeds, asEvents.feeds];
    this.#limits = limits;
    this.#clock = clock;
    this.#seats = seats;
    this.#sendChat = sendChatOver(bridge, limits.sendsInHand);
    this.#parts = {
      limits,
      clock,
      counts: this.counts,
      keys,
      sendChat: recordedChat(this.#sendChat, audit),
      asChat,
      asEvents,
      catchUp: new CatchUp(events),
      changed: (connection) => this.#unauthenticated.delete(connection),
    };
    this.#forgetKeys = keys?.onEnded((ended) => this.#keyEnded(ended));
    this.#unfollow = events.follow(({ event }) => {
      if (isPublicChat(event)) this.counts.relayed += 1;
    });
  }

  get connections(): number {
    return this.#open.size;
  }

  get listeners(): number {
    return this.#feeds.reduce((sum, { listeners }) => sum + listeners, 0);
  }

  /** What was written to them of all that happened. */
  get told(): ToldCounts {
    const sumOf = (name: keyof ToldCounts) => this.#feeds.reduce((sum, { told }) => sum + told[name], 0);
    return { events: sumOf('events'), chatLines: sumOf('chatLines') };
  }

  /** Whether one more connection from this address is refused, with this header, if it has one. */
  refuse(address: string, authorization: string | undefined): Refused | undefined {
    const waitSeconds = this.#parts.keys?.refuses(address, authorization);
    const limit = waitSeconds === undefined ? this.#seats.refuse('ws', address) : 'wrong-keys';
    if (limit === undefined) return undefined;
    this.counts.refused[limit] += 1;
    return { limit, waitSeconds: waitSeconds ?? fullSeconds };
  }

  /** Takes a client in, by the address that it is counted for, and its whole one; the caller passes on what comes from it, and says when its socket is gone. */
  open(channel: Channel, address: string, wholeAddress = address): ChatConnection {
    this.counts.opened += 1;
    const connection = new ChatConnection(channel, { address, wholeAddress }, this.#parts);
    this.#open.set(connection, this.#seats.sit('ws', address));
    if (connection.state === 'unauthenticated') this.#wait(connection);
    this.#probing ??= this.#probeLater();
    return connection;
  }

  /** Says a line for somebody who has no connection here: with what others say, and counted with it. */
  async say(line: ChatLine, idempotencyKey: string | undefined): Promise<Said> {
    const asked = this.#parts.clock.date();
    const said = await this.#sendChat(line, idempotencyKey);
    if (!wasSentBefore(said, asked)) this.counts.sent[receiptOf(said).status] += 1;
    return said;
  }

  /** The connection's socket is gone. */
  gone(connection: ChatConnection): void {
    connection.ended();
    this.#open.get(connection)?.();
    this.#open.delete(connection);
  }

  /** Says goodbye to everybody. */
  close(): void {
    this.#unfollow();
    this.#forgetKeys?.();
    for (const feeds of this.#feeds) feeds.stop();
    this.#probing?.cancel();
    for (const connection of [...this.#open.keys()]) connection.close('stopping');
  }

  #keyEnded(ended: Caller): void {
    for (const connection of [...this.#open.keys()])
      if (connection.caller === ended) connection.close('key-ended');
  }

  /** Who has waited longest gives way: a client with the key waits for moments, so nobody can lock it out. */
  #wait(connection: ChatConnection): void {
    this.#unauthenticated.add(connection);
    if (this.#unauthenticated.size <= this.#limits.unauthenticated) return;
    const [longest] = this.#unauthenticated;
    longest?.close('unauthenticated-limit');
  }

  /** As long as there is anybody to ask. */
  #probeLater(): Timer {
    return this.#clock.after(this.#limits.pingMs, () => {
      for (const connection of [...this.#open.keys()]) connection.probe();
      this.#probing = this.#open.size > 0 ? this.#probeLater() : undefined;
    });
  }
}

/** A retry under its key is told what became of the line, which was said and counted then. */
function wasSentBefore(said: Said, asked: Date): boolean {
  if (said.kind !== 'sent' || said.result.kind !== 'operation') return false;
  return Date.parse(said.result.operation.createdAt) < asked.getTime();
}
