import { once } from 'node:events';
import { type ServerMessage, serverMessage } from '@steward/shared/chat/server-messages';
import { WebSocket } from 'ws';

type Chat = Extract<ServerMessage, { type: 'chat' }>;

/** A bot as the docs describe it: it resumes at once, and holds what is new until the missed has come. */
export class Follower {
  readonly heard: string[] = [];
  gaps = 0;
  #cursor: string | undefined;
  #socket: WebSocket | undefined;
  #connection = 0;
  #missed: number | undefined;
  #held: Chat[] = [];
  #wake = () => {};
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Connects and asks for what was missed. A first connection waits for its place, from which nothing is lost. */
  async connect(): Promise<void> {
    this.#connection += 1;
    const connection = this.#connection;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#missed = undefined;
    this.#held = [];
    socket.on('error', () => {});
    socket.on('message', (data) => {
      if (connection === this.#connection) this.#take(serverMessage.parse(JSON.parse(data.toString())));
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'auth', payload: { token: this.#key } }));
    const payload = this.#cursor === undefined ? {} : { cursor: this.#cursor };
    socket.send(JSON.stringify({ type: 'resume', payload }));
    while (this.#cursor === undefined) await this.#change();
  }

  /** Waits for so many steps of whatever comes, or until there is nothing more to come. */
  async hear(messages: number): Promise<void> {
    const socket = this.#socket;
    let answered = false;
    socket?.once('pong', () => {
      answered = true;
      this.#wake();
    });
    socket?.ping();
    for (let message = 0; message < messages && !answered; message += 1) await this.#change();
  }

  async hearUntil(text: string): Promise<void> {
    while (this.heard.at(-1) !== text) await this.#change();
  }

  cut(): void {
    this.#connection += 1;
    this.#socket?.terminate();
  }

  #take(message: ServerMessage): void {
    if (message.type === 'resumed') {
      const { gap, missed, cursor } = message.payload;
      if (gap) this.gaps += 1;
      this.#missed = missed;
      if (missed === 0) this.#caughtUp(cursor);
    } else if (message.type === 'chat') this.#chat(message);
    this.#wake();
  }

  #chat(message: Chat): void {
    if (this.#missed === undefined) this.#held.push(message);
    else {
      this.#show(message);
      if (this.#missed > 0) {
        this.#missed -= 1;
        if (this.#missed === 0) this.#caughtUp(message.payload.cursor);
      }
    }
  }

  #caughtUp(cursor: string): void {
    this.#cursor = cursor;
    for (const message of this.#held.splice(0)) this.#show(message);
  }

  #show({ payload }: Chat): void {
    this.heard.push(payload.message);
    this.#cursor = payload.cursor;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
