import {
  API,
  Client,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GatewayMessageCreateDispatchData,
} from '@discordjs/core';
import { REST } from '@discordjs/rest';
import { type CompressionMethod, type SessionInfo, WebSocketManager } from '@discordjs/ws';
import { Changes } from '@steward/testing/changes';
import type { Discord } from '../src/discord.ts';

export interface LibraryBotOptions {
  readonly token?: string;
  /** Another than the REST API is given. */
  readonly gatewayToken?: string;
  readonly intents?: number;
  readonly compression?: CompressionMethod;
  /** Identifies at once, where the library would wait five seconds after the last time. */
  readonly isHasty?: boolean;
}

const usualIntents =
  GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;

/** The unmodified libraries as a bot uses them, and what they told. */
export class LibraryBot implements AsyncDisposable {
  readonly api: API;
  readonly rest: REST;
  readonly manager: WebSocketManager;
  readonly client: Client;
  readonly changes = new Changes();
  readonly heard: GatewayMessageCreateDispatchData[] = [];
  readonly counts = { ready: 0, resumed: 0, rateLimited: 0 };
  readonly errors: string[] = [];
  #session: SessionInfo | null = null;

  constructor(
    discord: Pick<Discord, 'api' | 'token'>,
    {
      token = discord.token,
      gatewayToken = token,
      intents = usualIntents,
      compression,
      isHasty = false,
    }: LibraryBotOptions = {},
  ) {
    this.rest = new REST({ version: '10', api: discord.api, retries: 0 }).setToken(token);
    this.api = new API(this.rest);
    this.manager = new WebSocketManager({
      token: gatewayToken,
      intents,
      compression: compression ?? null,
      rest: this.rest,
      ...(isHasty ? { buildIdentifyThrottler: () => ({ waitForIdentify: async () => undefined }) } : {}),
      // The library's own is shared by all that is in this process.
      retrieveSessionInfo: () => this.#session,
      updateSessionInfo: (_shard, session) => {
        this.#session = session;
      },
    });
    this.client = new Client({ rest: this.rest, gateway: this.manager });
    this.client.on(GatewayDispatchEvents.MessageCreate, ({ data }) =>
      this.#note(() => this.heard.push(data)),
    );
    this.client.on(GatewayDispatchEvents.Ready, () => this.#note(() => this.counts.ready++));
    this.client.on(GatewayDispatchEvents.Resumed, () => this.#note(() => this.counts.resumed++));
    this.rest.on('rateLimited', () => this.counts.rateLimited++);
    this.manager.on('error', (error) => this.#note(() => this.errors.push(error.message)));
    // A connection that is refused is an error of the socket, which the library deals with.
    this.manager.on('socketError', () => this.changes.told());
  }

  static async connect(discord: Discord, options?: LibraryBotOptions): Promise<LibraryBot> {
    const bot = new LibraryBot(discord, options);
    await bot.manager.connect();
    return bot;
  }

  /** What was said, in the order in which it was heard. */
  get words(): readonly string[] {
    return this.heard.map(({ content }) => content);
  }

  hears(count: number): Promise<true> {
    return this.until(() => this.heard.length >= count, `${count} messages`);
  }

  until(look: () => boolean, what: string): Promise<true> {
    const missing = () => `no ${what}: ${JSON.stringify({ ...this.counts, heard: this.heard.length })}`;
    return this.changes.until(() => look() || undefined, { missing });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.manager.destroy();
    this.rest.clearHandlerSweeper();
    this.rest.clearHashSweeper();
  }

  #note(what: () => unknown): void {
    what();
    this.changes.told();
  }
}
