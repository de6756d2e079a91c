import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { frameBytes, streamedBytes } from './chat-text.ts';
import { monotonicMs } from './driven-server.ts';

/** By which way somebody hears the chat: how it is asked for, how what comes before any message ends, and the bytes of each. */
const doors = {
  ws: {
    request: [
      'GET /ws HTTP/1.1',
      'Host: 127.0.0.1',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      '\r\n',
    ].join('\r\n'),
    lastOfGreeting: /\r\n\r\n$/,
    bytesOf: frameBytes,
  },
  stream: {
    request: 'GET /events/stream?topics=chat HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    // Its head comes first, and its place in parts of their own behind that.
    lastOfGreeting: /\nid: [^\n]+\n\n$/,
    bytesOf: streamedBytes,
  },
} as const;

export type Door = keyof typeof doors;

/** All listeners read into the same bytes, which nobody looks at once they are greeted: what is measured is the server, not this process. */
const unseen = Buffer.allocUnsafeSlow(64 * 1024);

/** Counts bytes instead of parsing frames: a thousand of these cost less than the server that feeds them. */
export class ByteListener {
  readonly socket: Socket;
  /** Of the message of this number. */
  readonly bytesOf: (number: number) => number;
  bytes = 0;
  /** How far the bytes had come at which times. */
  readonly arrivals: { readonly bytes: number; readonly at: number }[] = [];
  #enough: { readonly bytes: number; readonly reached: () => void } | undefined;
  #greeting: { text: string; readonly last: RegExp; readonly over: () => void } | undefined;

  private constructor(port: number, door: Door) {
    this.bytesOf = doors[door].bytesOf;
    const callback = (bytes: number): boolean => {
      this.#arrived(bytes);
      return true;
    };
    this.socket = connect({ port, host: '127.0.0.1', onread: { buffer: unseen, callback } });
  }

  static async open(port: number, door: Door): Promise<ByteListener> {
    const listener = new ByteListener(port, door);
    await once(listener.socket, 'connect');
    // A server that stops resets what it has not read.
    listener.socket.on('error', () => {});
    const greeted = new Promise<void>((over) => {
      listener.#greeting = { text: '', last: doors[door].lastOfGreeting, over };
    });
    listener.socket.write(doors[door].request);
    await greeted;
    return listener;
  }

  /** Forgets what came, and resolves when so many bytes have come since. */
  expect(bytes: number): Promise<void> {
    this.bytes = 0;
    this.arrivals.length = 0;
    return new Promise((reached) => {
      this.#enough = { bytes, reached };
    });
  }

  #arrived(bytes: number): void {
    if (this.#greeting !== undefined) {
      this.#greeting.text += unseen.toString('latin1', 0, bytes);
      if (!this.#greeting.last.test(this.#greeting.text)) return;
      this.#greeting.over();
      this.#greeting = undefined;
      return;
    }
    this.bytes += bytes;
    this.arrivals.push({ bytes: this.bytes, at: monotonicMs() });
    if (this.#enough !== undefined && this.bytes >= this.#enough.bytes) this.#enough.reached();
  }
}

export async function openListeners(
  port: number,
  number: number,
  door: Door = 'ws',
): Promise<ByteListener[]> {
  const listeners: ByteListener[] = [];
  const atOnce = 100;
  while (listeners.length < number) {
    const some = Math.min(atOnce, number - listeners.length);
    listeners.push(...(await Promise.all(Array.from({ length: some }, () => ByteListener.open(port, door)))));
  }
  return listeners;
}
