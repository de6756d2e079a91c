import { once } from 'node:events';
import { type ServerMessage, serverMessage } from '@steward/shared/chat/server-messages';
import { WebSocket } from 'ws';

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export interface ClientOptions {
  readonly headers?: Record<string, string>;
}

type Payload<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

/** Held against the schema, which has 64-bit ids as they are; a client reads them by their twins. */
export function readServerMessage(text: string): ServerMessage {
  const message = JSON.parse(text);
  const { data } = message.payload ?? {};
  for (const name of Object.keys(data ?? {}))
    if (`${name}Str` in data) data[name] = BigInt(data[`${name}Str`]);
  return serverMessage.parse(message);
}

/** A client of the real library, with what it received in order. Every message is held against the schema. */
export class Client {
  readonly socket: WebSocket;
  readonly received: ServerMessage[] = [];
  readonly closed: Promise<Closed>;
  #read = 0;
  #wake = () => {};

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, options);
    this.socket.on('message', (data) => {
      this.received.push(readServerMessage(data.toString()));
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#wake();
      });
    });
  }

  static async open(url: string, options: ClientOptions = {}): Promise<Client> {
    const client = new Client(url, options);
    await once(client.socket, 'open');
    return client;
  }

  send(message: object | string | Buffer): void {
    const plain = typeof message === 'string' || Buffer.isBuffer(message);
    this.socket.send(plain ? message : JSON.stringify(message));
  }

  /** The next message, which must be of this type. */
  async next<Type extends ServerMessage['type']>(type: Type): Promise<Payload<Type>> {
    for (;;) {
      const message = this.received[this.#read];
      if (message !== undefined) {
        this.#read += 1;
        if (message.type !== type) throw new Error(`expected ${type}, came ${JSON.stringify(message)}`);
        return message as Payload<Type>;
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed while waiting for ${type}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Everything that the server wrote before now has come: proven by an answer to a last message. */
  async rest(): Promise<void> {
    this.send({ type: 'ping' });
    while ((await this.nextOfAny()).type !== 'pong');
  }

  nextOfAny(): Promise<ServerMessage> {
    const known = this.received[this.#read];
    if (known !== undefined) {
      this.#read += 1;
      return Promise.resolve(known);
    }
    if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the connection is closed');
    return new Promise<void>((resolve) => {
      this.#wake = resolve;
    }).then(() => this.nextOfAny());
  }

  get texts(): string[] {
    return this.received.flatMap((message) => (message.type === 'chat' ? [message.payload.message] : []));
  }

  close(): void {
    this.socket.close();
  }
}
