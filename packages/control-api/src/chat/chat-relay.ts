import type { Clock, Timer } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Audit } from '../audit/audit.ts';
import type { Events } from '../game/events/event-log.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import type { Caller } from '../keys/caller.ts';
import { ChatConnection, type ChatKeys, type ConnectionParts } from './chat-connection.ts';
import { CatchUp, ChatFrames } from './chat-frames.ts';
import { ChatCounts, type Refusal } from './closings.ts';
import { Gathering } from './gathering.ts';
import type { ChatRelayLimits } from './limits.ts';
import type { Channel } from './outbox.ts';
import {
  type ChatLine,
  receiptOf,
  recordedChat,
  type Said,
  type SendChat,
  sendChatOver,
} from './send-chat.ts';

/** What a client is told to wait that finds no room. */
const fullSeconds = 5;

export interface Refused {
  readonly limit: Refusal;
  readonly waitSeconds: number;
}

export interface RelayParts {
  readonly bridge: Pick<GameBridge, 'run'> & { readonly events: Events<StewardEvent> };
  /** Undefined where the server has no key. */
  readonly keys: ChatKeys | undefined;
  readonly limits: ChatRelayLimits;
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
  readonly #gathering: Gathering;
  /** Those whose sockets are open, with the address that each counts for. */
  readonly #open = new Map<ChatConnection, string>();
  readonly #byAddress = new Map<string, number>();
  readonly #audience = new Set<ChatConnection>();
  /** In the order in which they came. */
  readonly #unauthenticated = new Set<ChatConnection>();
  #probing: Timer | undefined;

  constructor({ bridge, keys, limits, clock, audit }: RelayParts) {
    const frames = new ChatFrames();
    this.#limits = limits;
    this.#clock = clock;
    this.#gathering = new Gathering(limits, (written, messages) => this.#relay(written, messages));
    this.#sendChat = sendChatOver(bridge, limits.sendsInHand);
    this.#parts = {
      limits,
      clock,
      counts: this.counts,
      keys,
      sendChat: recordedChat(this.#sendChat, audit),
      catchUp: new CatchUp(bridge.events, frames),
      chatFirst: () => this.#gathering.flush(),
      changed: (connection) => this.#changed(connection),
    };
    this.#forgetKeys = keys?.onEnded((ended) => this.#keyEnded(ended));
    this.#unfollow = bridge.events.follow((logged) => {
      const frame = frames.of(logged);
      if (frame !== undefined) this.#gathering.add(frame);
    });
  }

  get connections(): number {
    return this.#open.size;
  }

  get listeners(): number {
    return this.#audience.size;
  }

  /** Whether one more connection from this address is refused, with this header, if it has one. */
  refuse(address: string, authorization: string | undefined): Refused | undefined {
    const waitSeconds = this.#parts.keys?.refuses(address, authorization);
    const limit = waitSeconds === undefined ? this.#full(address) : 'wrong-keys';
    if (limit === undefined) return undefined;
    this.counts.refused[limit] += 1;
    return { limit, waitSeconds: waitSeconds ?? fullSeconds };
  }

  /** Takes a client in, by the address that it is counted for, and its whole one; the caller passes on what comes from it, and says when its socket is gone. */
  open(channel: Channel, address: string, wholeAddress = address): ChatConnection {
    this.counts.opened += 1;
    const connection = new ChatConnection(channel, { address, wholeAddress }, this.#parts);
    this.#open.set(connection, address);
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
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
    const address = this.#open.get(connection);
    if (address === undefined) return;
    connection.ended();
    this.#open.delete(connection);
    const left = (this.#byAddress.get(address) ?? 0) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }

  /** Says goodbye to everybody. */
  close(): void {
    this.#unfollow();
    this.#forgetKeys?.();
    this.#gathering.stop();
    this.#probing?.cancel();
    for (const connection of [...this.#open.keys()]) connection.close('stopping');
  }

  #keyEnded(ended: Caller): void {
    for (const connection of [...this.#open.keys()])
      if (connection.caller === ended) connection.close('key-ended');
  }

  #full(address: string): Refusal | undefined {
    if (this.#open.size >= this.#limits.connections) return 'connections';
    const here = this.#byAddress.get(address) ?? 0;
    return here >= this.#limits.connectionsPerAddress ? 'connections-per-address' : undefined;
  }

  #relay(frames: Buffer, messages: number): void {
    this.counts.relayed += messages;
    let clients = 0;
    for (const connection of this.#audience) if (connection.deliver(frames)) clients += 1;
    this.counts.delivered += clients * messages;
  }

  #changed(connection: ChatConnection): void {
    this.#unauthenticated.delete(connection);
    if (connection.state === 'authenticated') this.#audience.add(connection);
    else this.#audience.delete(connection);
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
