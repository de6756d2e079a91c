import type { Clock, Timer } from '@steward/service-kit/clock';
import { below } from '@steward/service-kit/http/addresses';
import { readJson } from '@steward/service-kit/json';
import { causeInWords } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { lineInGame, nameInGame } from '@steward/shared/wire-values';
import { type RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { triesAgain } from '../state/bridge-state.ts';
import { existingRemedies, keyRefusal } from './existing-client.ts';
import type { ExistingLimits } from './existing-limits.ts';

const frame = z.object({ type: z.string(), payload: z.unknown().optional() });
const chatPayload = z.object({ playerName: nameInGame, message: lineInGame });

const paceWindowMs = 1_000;

/** `unknown`: the line may have been said; that server never tells. */
export type Said = 'said' | 'unknown';

export interface ExistingChatParts {
  readonly url: URL;
  readonly key: Secret | undefined;
  readonly clock: Clock;
  readonly limits: ExistingLimits;
  readonly heard: (playerName: string, message: string) => void;
  /** Called when lines can be said and heard. */
  readonly ready: () => void;
  /** Called once, when the line is gone. The remedy is for whoever runs both servers. */
  readonly ended: (why: MendableTrouble) => void;
}

/**
 * One connection to the existing server's `/ws`. It confirms nothing, but it takes one message after the other, and drops a
 * line that its game did not come to within five seconds: a pong that comes sooner says that the line before it was said.
 */
export class ExistingChat {
  readonly #parts: ExistingChatParts;
  readonly #socket: WebSocket;
  /** Settled when the line is ready, or will not be. */
  readonly decided: Promise<void>;
  readonly #decide: () => void;
  readonly #pongs: ((isAlive: boolean) => void)[] = [];
  #isReady = false;
  #isOver = false;
  #ping: Timer | undefined;
  readonly #patience: Timer;
  #windowStart: number;
  #inWindow = 0;

  constructor(parts: ExistingChatParts) {
    this.#parts = parts;
    this.#windowStart = parts.clock.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.decided = promise;
    this.#decide = resolve;
    const url = below(parts.url, 'ws');
    url.protocol = parts.url.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: parts.limits.chatFrameBytes,
    });
    this.#patience = parts.clock.after(parts.limits.chatAnswerMs, () =>
      this.#end('it does not accept the chat in time', existingRemedies.noUpgrades),
    );
    this.#socket.on('open', () => this.#open());
    this.#socket.on('message', (data) => {
      this.#keepPace();
      this.#take(data);
    });
    this.#socket.on('unexpected-response', (_request, { statusCode }) =>
      this.#end(`it answers ${statusCode} to the chat on /ws`, existingRemedies.noUpgrades),
    );
    this.#socket.on('error', (error) => this.#end(causeInWords(error)));
    this.#socket.on('close', (code) => this.#end(`it closed the chat's connection (${code})`));
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Says a line in the game. Whoever calls knows that the line is ready. */
  async say(author: string, message: string): Promise<Said> {
    const { clock, limits } = this.#parts;
    const sentAt = clock.now();
    this.#send({ type: 'chat_send', payload: { author, message } });
    const isAlive = await this.#pong();
    const took = clock.now() - sentAt;
    if (!isAlive) return 'unknown';
    if (took < limits.chatDropMs - limits.chatMarginMs) return 'said';
    return 'unknown';
  }

  close(): void {
    this.#socket.close();
    this.#end('the control API is stopping');
  }

  /** With a key set there, it says what it makes of ours; without one, it passes over it and answers the ping. */
  #open(): void {
    const { key } = this.#parts;
    if (key !== undefined) this.#send({ type: 'auth', payload: { token: key.reveal() } });
    void this.#pong().then((isAlive) => {
      if (!isAlive || this.#isReady) return;
      if (key === undefined) this.#ready();
      else this.#end('EXISTING_API_KEY is set, but it needs no key', existingRemedies.noKey);
    });
  }

  #ready(): void {
    this.#patience.cancel();
    this.#isReady = true;
    this.#decide();
    this.#parts.ready();
    this.#pingLater();
  }

  /** What comes faster is left in the connection, so that the process is free for others. */
  #keepPace(): void {
    const { clock, limits } = this.#parts;
    const now = clock.now();
    if (now - this.#windowStart >= paceWindowMs) {
      this.#windowStart = now;
      this.#inWindow = 0;
    }
    this.#inWindow += 1;
    if (this.#inWindow !== limits.chatFramesPerSecond) return;
    this.#socket.pause();
    clock.after(this.#windowStart + paceWindowMs - now, () => this.#socket.resume());
  }

  #take(data: RawData): void {
    const parsed = frame.safeParse(readJson(String(data)));
    if (!parsed.success) return;
    const { type, payload } = parsed.data;
    if (type === 'auth_success') this.#ready();
    if (type === 'auth_failed') this.#end(keyRefusal(this.#parts.key), existingRemedies.key);
    if (type === 'pong') this.#pongs.shift()?.(true);
    if (type !== 'chat') return;
    const line = chatPayload.safeParse(payload);
    if (line.success) this.#parts.heard(line.data.playerName, line.data.message);
  }

  #pong(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#parts.clock.after(this.#parts.limits.chatAnswerMs, () => resolve(false));
    this.#pongs.push(resolve);
    this.#send({ type: 'ping' });
    return promise.finally(() => timer.cancel());
  }

  #pingLater(): void {
    const { clock, limits } = this.#parts;
    this.#ping = clock.after(limits.chatPingMs, () => {
      void this.#pong().then((isAlive) => {
        if (isAlive) this.#pingLater();
        else this.#end('it does not answer a ping');
      });
    });
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #end(reason: string, remedy = triesAgain): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isReady = false;
    this.#decide();
    this.#patience.cancel();
    this.#ping?.cancel();
    for (const resolve of this.#pongs.splice(0)) resolve(false);
    this.#socket.terminate();
    this.#parts.ended({ reason, remedy });
  }
}
