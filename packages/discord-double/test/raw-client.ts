import { Changes } from '@steward/testing/changes';
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { WebSocket } from 'ws';
import type { Discord } from '../src/discord.ts';

interface Payload {
  readonly op: number;
  readonly s: number | null;
  readonly t: string | null;
  readonly d: Readonly<Record<string, unknown>>;
}

const usualIntents =
  GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;

/** A client of the gateway that does what a library never would. */
export class RawClient implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #changes = new Changes();
  readonly #heard: Payload[] = [];
  #closed: number | undefined;
  #read = 0;

  constructor(discord: Discord, query = 'v=10&encoding=json', path = '/') {
    this.#socket = new WebSocket(`ws://127.0.0.1:${discord.port}${path}?${query}`);
    this.#socket.on('message', (data) => {
      this.#heard.push(JSON.parse(String(data)));
      this.#changes.told();
    });
    this.#socket.on('open', this.#changes.told);
    // A handshake that fails has no code of its own.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', (code) => {
      this.#closed = code;
      this.#changes.told();
    });
  }

  /** Greeted. */
  static async greeted(discord: Discord): Promise<RawClient> {
    const client = new RawClient(discord);
    await client.next();
    return client;
  }

  /** Identified, with `READY` and `GUILD_CREATE` read. */
  static async identified(discord: Discord, form: object = {}): Promise<RawClient & { session: string }> {
    const client = await RawClient.greeted(discord);
    client.identify(discord, form);
    const ready = await client.next('READY');
    await client.next('GUILD_CREATE');
    return Object.assign(client, { session: String(ready.d['session_id']) });
  }

  identify(discord: Discord, form: object = {}): void {
    const properties = { os: 'linux', browser: 'test', device: 'test' };
    this.send(GatewayOpcodes.Identify, { token: discord.token, properties, intents: usualIntents, ...form });
  }

  send(op: number, d: unknown): void {
    this.sendText(JSON.stringify({ op, d }));
  }

  /** That there is a connection, before anything is said on it. */
  opened(): Promise<true> {
    const look = () => this.#socket.readyState === WebSocket.OPEN || undefined;
    return this.#changes.until(look, { missing: () => 'no connection' });
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  /** The next that is told, or the next of a kind. */
  next(name?: string): Promise<Payload> {
    const missing = () => `no ${name ?? 'payload'}; closed with ${this.#closed}`;
    return this.#changes.until(
      () => {
        while (this.#read < this.#heard.length) {
          const payload = this.#heard[this.#read++];
          if (payload !== undefined && (name === undefined || payload.t === name)) return payload;
        }
        return undefined;
      },
      { missing },
    );
  }

  /** With which code the other side hung up. */
  closed(): Promise<number> {
    return this.#changes.until(() => this.#closed, { missing: () => 'nobody hung up' });
  }

  /** Hangs up with a code, or without a word. */
  async leave(code?: number): Promise<void> {
    if (code === undefined) this.#socket.terminate();
    else this.#socket.close(code);
    await this.closed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed === undefined) await this.leave();
  }
}
