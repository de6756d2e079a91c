import type { AddressInfo, Socket } from 'node:net';
import { createHttpServer } from '@steward/service-kit/http/http-server';
import { createLogger } from '@steward/service-kit/log/logger';
import type { Command } from '@steward/shared/bridge/commands';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Scope } from '@steward/shared/scopes';
import { ManualClock } from '@steward/testing/manual-clock';
import type { AskedFor, Ended } from '../../../src/audit/audit.ts';
import type { Refused } from '../../../src/audit/refusals.ts';
import { ChatRelay } from '../../../src/chat/chat-relay.ts';
import { allChatLimits, type ChatRelayLimits } from '../../../src/chat/limits.ts';
import { EventTexts } from '../../../src/events/event-frames.ts';
import { Seats } from '../../../src/events/seats.ts';
import type { CommandResult } from '../../../src/game/operations/operation.ts';
import type { EventLogLimits, Events } from '../../../src/game/state/event-log.ts';
import { addEndpoints } from '../../../src/http/endpoints/add-endpoints.ts';
import { authenticate, KeyGuard, nameCallers } from '../../../src/http/guards/authentication.ts';
import { webSocketHandlers } from '../../../src/http/streams/web-socket-route.ts';
import { isChatUpgrade, refuseOtherUpgrades, takeUpgrades } from '../../../src/http/streams/web-sockets.ts';
import { memoryEvents } from '../../game/stage/memory-events.ts';
import { Client } from './client.ts';
import { ScopedKeys } from './scoped-keys.ts';

export const key = 'k3y';

const roomy = {
  connections: 5_000,
  connectionsPerAddress: 5_000,
  unauthenticated: 500,
  messagesPerSecond: 50,
  unreadBytes: 256 * 1024,
  pingMs: 30_000,
  closeMs: 200,
};

export interface StageSettings {
  readonly key?: string | undefined;
  /** Beside it, what each is good for. */
  readonly keys?: Readonly<Record<string, readonly Scope[]>>;
  readonly limits?: Partial<ChatRelayLimits>;
  readonly log?: EventLogLimits;
  readonly epoch?: string;
}

export const away: CommandResult = {
  kind: 'unavailable',
  reason: 'no game is connected',
  retryAfterMs: 5_000,
};

/** What becomes of a message that the game shows. */
export const applied: CommandResult = {
  kind: 'operation',
  operation: {
    id: '1',
    command: 'sendChat',
    state: 'applied',
    createdAt: '',
    changedAt: '',
    fingerprint: '',
  },
};

/** A listening server with `/ws` and nothing else, before a game whose every answer a test decides. */
export class ChatStage implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly events: Events<StewardEvent>;
  readonly relay: ChatRelay;
  readonly keys: ScopedKeys;
  readonly commands: Command[] = [];
  readonly refused: Refused[] = [];
  /** What came to be a line of the audit, which resolves when a test lets it. */
  record: (line: AskedFor & Ended) => Promise<void> = async () => {};
  answer: (command: Command) => Promise<CommandResult> = async () => away;
  port = 0;
  readonly #server: ReturnType<typeof createHttpServer>;
  readonly #limits: ChatRelayLimits;
  readonly #guard: KeyGuard | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #audit = {
    whyNot: () => undefined,
    begin: (what: AskedFor) => ({
      carry: <Result>(work: () => Promise<Result>) => work(),
      noted: async () => undefined,
      ended: (how: Ended) => this.record({ ...what, ...how }),
    }),
  };

  private constructor(settings: StageSettings) {
    this.#limits = { ...allChatLimits(roomy), ...settings.limits };
    this.events = memoryEvents(this.clock, { epoch: settings.epoch, limits: settings.log });
    const logger = createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr);
    this.#server = createHttpServer(logger);
    this.keys = new ScopedKeys(settings.key ?? '', settings.keys);
    if (settings.key !== undefined)
      this.#guard = new KeyGuard(this.keys, () => this.clock.now(), logger, {
        wrongKey: () => {},
        came: (refused) => this.refused.push(refused),
      });
    this.#server.server.on('connection', (socket: Socket) => this.#sockets.add(socket));
    this.relay = new ChatRelay({
      bridge: {
        events: this.events,
        state: {
          link: { status: 'live', since: this.clock.date(), reason: 'the stage is there' },
          sections: {},
          isWhole: true,
          version: 1,
        },
        run: (command) => {
          this.commands.push(command);
          return this.answer(command);
        },
      },
      live: { follow: () => () => {} },
      keys: this.#guard,
      limits: this.#limits,
      seats: new Seats(this.#limits),
      texts: new EventTexts(''),
      clock: this.clock,
      audit: this.#audit,
    });
  }

  static async open(settings: StageSettings = { key }): Promise<ChatStage> {
    const stage = new ChatStage(settings);
    await takeUpgrades(stage.#server, stage.relay, stage.#limits);
    nameCallers(stage.#server);
    if (stage.#guard !== undefined) authenticate(stage.#server, stage.#guard, isChatUpgrade);
    refuseOtherUpgrades(stage.#server);
    const noWrites = {
      operations: { find: () => undefined },
      clock: stage.clock,
      audit: stage.#audit,
    };
    addEndpoints(stage.#server, webSocketHandlers(stage.relay, '1.2.3'), noWrites);
    await stage.#server.listen({ host: '127.0.0.1', port: 0 });
    stage.port = (stage.#server.server.address() as AddressInfo).port;
    return stage;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/ws`;
  }

  get mostSockets(): number {
    return this.#server.server.maxConnections;
  }

  client(): Promise<Client> {
    return Client.open(this.url);
  }

  async authenticated(token = key): Promise<Client> {
    const client = await this.client();
    client.send({ type: 'auth', payload: { token } });
    await client.next('auth_success');
    return client;
  }

  say(message: string, playerName = 'Abigail'): string {
    return this.events.append({ type: 'chat.said', data: { playerId: '5512', playerName, message } }).cursor;
  }

  /** Breaks every line, as a network does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
