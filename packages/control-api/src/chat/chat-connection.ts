import { randomBytes } from 'node:crypto';
import type { Clock, Timer } from '@steward/service-kit/clock';
import { type ClientMessage, clientMessageScopes } from '@steward/shared/chat/client-messages';
import { type ChatErrorCode, chatScopes } from '@steward/shared/chat/rules';
import { Problem } from '@steward/shared/problems/problem';
import type { Who } from '../audit/refusals.ts';
import { Outbox, type Sink } from '../events/outbox.ts';
import { anybody, type Caller, type Keys, may, whatIsLacking } from '../keys/caller.ts';
import { frameOf } from './chat-frames.ts';
import { type Breach, type ChatCounts, closings, keyClosings, type OwnClosing } from './closings.ts';
import { type Declined, Hearing, type HearingParts } from './hearing.ts';
import type { ChatRelayLimits } from './limits.ts';
import { MessagePace } from './message-pace.ts';
import { type ReadMessage, readMessage } from './read-message.ts';
import { type Receipt, type RecordedChat, receiptOf } from './send-chat.ts';

/** Whose keys there are, and who had one wrong how often: what this door shares with that of requests. */
export interface ChatKeys extends Pick<Keys, 'callerOf' | 'onEnded'> {
  /** Why a key that is nobody's is not let in; a wrong one counts against its sender. */
  refusalOf(client: string, key: string): Problem;
  /** A key was brought that is not good for this. */
  denied(action: 'sendChat' | 'openWebSocket', who: Who): void;
  /** For how many seconds a connection is refused, by what came with it before its first message. */
  refuses(client: string, authorization: string | undefined): number | undefined;
}

/** Where a client comes from. */
export interface ChatOrigin {
  /** By which it is counted. */
  readonly address: string;
  readonly wholeAddress: string;
}

/** The way to one client: whole frames in, a close out. */
export interface Channel extends Sink {
  close(code: number, reason: string): void;
  /** Ends it without a word: the other side is gone. */
  terminate(): void;
}

/** What all connections share. */
export interface ConnectionParts extends HearingParts {
  readonly limits: ChatRelayLimits;
  readonly clock: Clock;
  readonly counts: ChatCounts;
  /** Undefined where the server has no key. */
  readonly keys: ChatKeys | undefined;
  readonly sendChat: RecordedChat;
  /** Told of every change of state. */
  readonly changed: (connection: ChatConnection) => void;
}

export type ConnectionState = 'unauthenticated' | 'authenticated' | 'closed';

const authSuccess = frameOf({ type: 'auth_success' });
const pong = frameOf({ type: 'pong' });
const pingFinal = 0x89;
/** What a pong must bring back: nobody guesses it who has not read the ping. */
const pingBytes = 8;

/** One client: unauthenticated, then authenticated, then closed. Where there is no key the second comes at once. */
export class ChatConnection {
  readonly #channel: Channel;
  readonly #from: ChatOrigin;
  readonly #parts: ConnectionParts;
  readonly #outbox: Outbox;
  readonly #hearing: Hearing;
  readonly #pace: MessagePace;
  #caller: Caller = anybody;
  #state: ConnectionState = 'unauthenticated';
  #window: Timer | undefined;
  #heard = true;
  #asked = Buffer.alloc(0);

  constructor(channel: Channel, from: ChatOrigin, parts: ConnectionParts) {
    const { clock, limits, keys } = parts;
    this.#channel = channel;
    this.#from = from;
    this.#parts = parts;
    this.#outbox = new Outbox(channel, limits.unreadBytes, clock, () => this.close('slow-reader'));
    this.#hearing = new Hearing(this.#outbox, parts, () => this.close('past-unreadable'));
    this.#pace = new MessagePace(limits, clock);
    if (keys === undefined) this.#join();
    else
      this.#window = clock.after(limits.authWindowMs, () =>
        this.#fail('auth-window', `No auth message came within ${limits.authWindowMs / 1_000} seconds`),
      );
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** By the key that it brought last. */
  get caller(): Caller {
    return this.#caller;
  }

  message(data: Buffer, isBinary: boolean): void {
    this.#heard = true;
    this.#hearing.flush();
    if (this.#state === 'unauthenticated') this.#authenticate(data, isBinary);
    else if (this.#state === 'authenticated') this.#take(data, isBinary);
  }

  /** A ping of the protocol itself; it counts as a message, for answering it costs as much. */
  ping(answer: Buffer): void {
    this.#heard = true;
    if (this.#state !== 'closed' && this.#isWithinRate()) this.#outbox.write(answer);
  }

  /** Pongs that answer nothing come also from a client that never reads. */
  pong(data: Buffer): void {
    if (data.equals(this.#asked)) this.#heard = true;
  }

  /** Asks for a sign of life; ends a connection that has given none since the last time. */
  probe(): void {
    if (this.#state === 'closed') return;
    if (!this.#heard) {
      this.#parts.counts.closed['dead-peer'] += 1;
      this.#channel.terminate();
      this.ended();
      return;
    }
    this.#heard = false;
    this.#asked = randomBytes(pingBytes);
    this.#channel.write(Buffer.concat([Buffer.from([pingFinal, pingBytes]), this.#asked]));
  }

  close(why: OwnClosing): void {
    if (this.#state === 'closed') return;
    this.#parts.counts.closed[why] += 1;
    const { code, reason } = closings[why];
    this.ended();
    this.#channel.close(code, reason);
  }

  /** The client broke the protocol, and the channel has told it so. */
  broken(how: Breach): void {
    if (this.#state === 'closed') return;
    this.#parts.counts.closed[how] += 1;
    this.ended();
  }

  /** The connection is over, whoever ended it. */
  ended(): void {
    if (this.#state === 'closed') return;
    this.#window?.cancel();
    this.#hearing.end();
    this.#become('closed');
  }

  #authenticate(data: Buffer, isBinary: boolean): void {
    const read = readMessage(data, isBinary);
    if (!read.ok || read.message.type !== 'auth') {
      const form = '{"type":"auth","payload":{"token":"<API_KEY>"}}';
      // What is right but for its frame looks to its author just as it should.
      this.#fail(
        'not-authenticated',
        `Authenticate first: send ${form}${isBinary ? ' as text, not binary' : ''}`,
      );
    } else if (this.#isLetIn(read.message.payload.token)) {
      this.#window?.cancel();
      this.#join();
    }
  }

  /** By a key that may hear the chat. */
  #isLetIn(token: string): boolean {
    const { keys } = this.#parts;
    const caller =
      keys === undefined ? anybody : (keys.callerOf(token) ?? keys.refusalOf(this.#from.address, token));
    if (caller instanceof Problem) {
      this.#fail(keyClosings[caller.code] ?? 'bad-token', caller.message);
      return false;
    }
    if (!may(caller, chatScopes.hear)) {
      keys?.denied('openWebSocket', this.#who(caller));
      this.#fail('insufficient-scope', `The chat needs ${whatIsLacking(caller, chatScopes.hear)}`);
      return false;
    }
    this.#caller = caller;
    this.#outbox.write(authSuccess);
    return true;
  }

  #join(): void {
    this.#hearing.begin(this.#caller);
    this.#parts.counts.authenticated += 1;
    this.#become('authenticated');
  }

  #take(data: Buffer, isBinary: boolean): void {
    this.#parts.counts.received += 1;
    const read = readMessage(data, isBinary);
    if (!this.#isWithinRate()) this.#tellToSlowDown(read);
    else if (read.ok) this.#act(read.message, read.id);
    // Without a key nobody need know how to authenticate; whoever tries is let in.
    else if (read.type === 'auth' && this.#parts.keys === undefined) this.#outbox.write(authSuccess);
    else this.#error(read.code, read.why, read.id);
  }

  #act(message: ClientMessage, id: string | undefined): void {
    const needed = clientMessageScopes[message.type];
    if (!may(this.#caller, needed)) {
      this.#refuse(message, id, `${message.type} needs ${whatIsLacking(this.#caller, needed)}`);
      return;
    }
    switch (message.type) {
      case 'auth':
        if (this.#isLetIn(message.payload.token)) this.#hearing.goBy(this.#caller);
        return;
      case 'ping':
        this.#outbox.write(pong);
        return;
      case 'resume':
        this.#answer(this.#hearing.resume(message.payload?.cursor ?? undefined), id);
        return;
      case 'subscribe':
        this.#answer(this.#hearing.subscribe(message.payload), id);
        return;
      case 'unsubscribe':
        this.#answer(this.#hearing.unsubscribe(message.payload ?? {}), id);
        return;
      case 'chat_send': {
        const { author, message: text } = message.payload;
        void this.#parts
          .sendChat({ author, message: text }, this.#who(this.#caller))
          .then((said) => this.#tell(receiptOf(said), id));
      }
    }
  }

  /** What was done has been answered with what came of it. */
  #answer(declined: Declined | undefined, id: string | undefined): void {
    if (declined === undefined) return;
    if (declined.code === 'insufficient-scope')
      this.#parts.keys?.denied('openWebSocket', this.#who(this.#caller));
    this.#error(declined.code, declined.why, id);
  }

  #tell(receipt: Receipt, id: string | undefined): void {
    this.#parts.counts.sent[receipt.status] += 1;
    if (this.#state !== 'authenticated') return;
    if (id !== undefined) this.#outbox.write(frameOf({ type: 'chat_sent', payload: { id, ...receipt } }));
    else if (receipt.status !== 'delivered') this.#error(`chat-${receipt.status}`, receipt.reason ?? '');
  }

  #refuse({ type }: ClientMessage, id: string | undefined, reason: string): void {
    if (type === 'chat_send') this.#parts.keys?.denied('sendChat', this.#who(this.#caller));
    if (type === 'chat_send' && id !== undefined) this.#tell({ status: 'refused', reason }, id);
    else this.#error('insufficient-scope', reason, id);
  }

  #who({ name, keyId }: Caller): Who {
    return { actor: name, keyId, address: this.#from.wholeAddress };
  }

  #isWithinRate(): boolean {
    const verdict = this.#pace.take();
    if (verdict === 'within') return true;
    this.#parts.counts.dropped += 1;
    if (verdict === 'too-many') this.close('message-rate');
    return false;
  }

  #tellToSlowDown(read: ReadMessage): void {
    if (this.#state !== 'authenticated') return;
    const reason = `At most ${this.#parts.limits.messagesPerSecond} messages a second; this one was dropped`;
    const isFirst = this.#pace.tellOnce();
    if (read.ok && read.message.type === 'chat_send' && read.id !== undefined)
      this.#tell({ status: 'refused', reason }, read.id);
    else if (isFirst) this.#error('too-many-messages', reason, read.id);
  }

  #error(code: ChatErrorCode, message: string, id?: string): void {
    this.#outbox.write(frameOf({ type: 'error', payload: { code, message, id } }));
  }

  #fail(why: OwnClosing, error: string): void {
    this.#outbox.write(frameOf({ type: 'auth_failed', payload: { error } }));
    this.close(why);
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    this.#parts.changed(this);
  }
}
