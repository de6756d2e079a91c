import type { REST } from '@discordjs/rest';
import {
  type SessionInfo,
  WebSocketManager,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from '@discordjs/ws';
import { Backoff, type Clock, settledWithin, type Timer } from '@steward/service-kit/clock';
import { OperatorError } from '@steward/service-kit/process/errors';
import {
  ActivityType,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  GatewayOpcodes,
  PresenceUpdateStatus,
} from 'discord-api-types/v10';
import type { Log } from '../log.ts';
import { intentRemedy, reasonOf, tokenRemedy, verdictOf } from './errors.ts';

const intents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;

/** Beside what Discord sends of its own accord, far from the 120 commands a minute at which it hangs up. */
const presenceEveryMs = 5_000;
const presenceTakesMs = 5_000;

/** Between connections that fail; by itself the library tries twice a second, for ever. */
const waits = { firstMs: 1_000, factor: 2, longestMs: 60_000, steadyMs: 0 } as const;

/** Between Discord's greeting and the end of what was missed; the library waits for a new session only, not for this. */
const resumeTakesMs = 30_000;

interface Parts {
  readonly token: string;
  readonly rest: REST;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly onDispatch: (payload: GatewayDispatchPayload) => void;
  /** A session has begun, or goes on: from now on what happens is heard. */
  readonly onReady: () => void;
  /** A session was to go on, and Discord says nothing to that: `connect` begins another in its place. */
  readonly onSilence: () => void;
  /** It has ended for good. */
  readonly onOver: (error: Error) => void;
}

/** The one connection by which Discord tells what happens. */
export class Gateway {
  readonly #parts: Parts;
  readonly #manager: WebSocketManager;
  #session: SessionInfo | null = null;
  #isReady = false;
  #backoff: Backoff;
  #hasFailed = false;
  #connecting: Timer | undefined;
  #resuming: Timer | undefined;
  /** Why no session has come, as it was said since the last one. */
  readonly #reasons = new Set<string>();
  #wanted = '';
  #shown = '';
  #timer: Timer | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { token, rest, clock, random, log, onDispatch, onOver } = parts;
    this.#backoff = new Backoff(waits, random);
    this.#manager = new WebSocketManager({
      token,
      rest,
      intents,
      shardCount: 1,
      // The library's own store is one for the whole process.
      // It asks before each connection.
      retrieveSessionInfo: async () => {
        if (this.#hasFailed) await this.#pause();
        return this.#session;
      },
      updateSessionInfo: (_shard, session) => {
        this.#session = session;
      },
    });
    this.#manager.on(WebSocketShardEvents.Dispatch, onDispatch);
    this.#manager.on(WebSocketShardEvents.Hello, () => {
      this.#resuming?.cancel();
      this.#resuming = clock.after(resumeTakesMs, () => void this.#giveUpResuming());
    });
    this.#manager.on(WebSocketShardEvents.Ready, () => this.#ready('a session with Discord has begun'));
    this.#manager.on(WebSocketShardEvents.Resumed, () => this.#ready('the session with Discord continues'));
    this.#manager.on(WebSocketShardEvents.Closed, (code) => {
      if (this.#isReady) log.warn({ code }, 'the connection to Discord was lost; reconnecting');
      else this.#hasFailed = true;
      this.#isReady = false;
    });
    this.#manager.on(WebSocketShardEvents.SocketError, ({ message }) => this.#failed(message));
    this.#manager.on(WebSocketShardEvents.Error, (error) => {
      const reason = endOf(error);
      if (reason !== undefined) onOver(reason);
      else this.#failed(error.message);
    });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** In the place of what is connected. Throws an OperatorError for what only whoever runs the bot can mend. */
  async connect(): Promise<void> {
    try {
      await this.#manager.connect();
    } catch (error) {
      throw endOf(error) ?? error;
    }
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    // A connection that began now would outlive this.
    this.#connecting?.cancel();
    this.#resuming?.cancel();
    this.#isReady = false;
    await this.#manager.destroy({ reason: 'stopping' });
  }

  /** What stands below the bot's name; the latest wins. */
  show(status: string): void {
    this.#wanted = status;
    this.#schedule();
  }

  #ready(message: string): void {
    this.#isReady = true;
    this.#backoff = new Backoff(waits, this.#parts.random);
    this.#reasons.clear();
    this.#parts.log.info({}, message);
    // A new session shows nothing until it is told; to one that goes on, what was sent last may have gone into a dead connection.
    this.#shown = '';
    this.#schedule();
    this.#parts.onReady();
  }

  #failed(reason: string): void {
    if (this.#reasons.has(reason)) return;
    this.#reasons.add(reason);
    this.#parts.log.warn({ reason }, 'the connection to Discord failed; the bot tries again');
  }

  async #giveUpResuming(): Promise<void> {
    // What ends a connection in any other state connects again by itself: there would be two.
    const status = (await this.#manager.fetchStatus()).get(0);
    if (status !== WebSocketShardStatus.Resuming) return;
    this.#parts.log.warn({}, 'Discord has not continued the session; the bot begins a new one');
    this.#parts.onSilence();
  }

  /** Before the next connection; where nobody wants that any more, it never ends. */
  async #pause(): Promise<void> {
    this.#hasFailed = false;
    await new Promise<void>((resolve) => {
      this.#connecting = this.#parts.clock.after(this.#backoff.pause(0), resolve);
    });
  }

  /** While there is no session it would wait for ever; the next tells it. */
  #schedule(): void {
    if (!this.#isReady || this.#timer !== undefined || this.#wanted === this.#shown) return;
    const { clock } = this.#parts;
    const waitMs = Math.max(0, this.#sentAt + presenceEveryMs - clock.now());
    this.#timer = clock.after(waitMs, () => {
      this.#timer = undefined;
      if (this.#isReady && this.#wanted !== this.#shown) void this.#send(this.#wanted);
    });
  }

  async #send(state: string): Promise<void> {
    const { clock, log } = this.#parts;
    this.#sentAt = clock.now();
    this.#shown = state;
    const presence = {
      since: null,
      afk: false,
      status: PresenceUpdateStatus.Online,
      activities: [{ name: 'Steward', type: ActivityType.Custom, state }],
    };
    const sent = Promise.resolve(this.#manager.send(0, { op: GatewayOpcodes.PresenceUpdate, d: presence }));
    try {
      await settledWithin(sent, presenceTakesMs, clock, () => new Error('it took too long'));
    } catch (error) {
      this.#shown = '';
      log.warn({ reason: reasonOf(error) }, 'the status could not be shown');
    }
    this.#schedule();
  }
}

/** Why there will be no session ever again; nothing where there may be one. */
function endOf(error: unknown): OperatorError | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (/disallowed intents/i.test(message)) return new OperatorError(intentRemedy);
  if (/authentication failed/i.test(message) || verdictOf(error) === 'over')
    return new OperatorError(tokenRemedy);
  if (/invalid intents|sharding|api version/i.test(message))
    return new OperatorError(`Discord no longer accepts this bot (${message}): update Steward`);
  return undefined;
}
