import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { monotonicMs } from './driven-server.ts';

const handshake = [
  'GET /ws HTTP/1.1',
  'Host: 127.0.0.1',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  '\r\n',
].join('\r\n');

/** Counts bytes instead of parsing frames: a thousand of these cost less than the server that feeds them. */
export class ByteListener {
  readonly socket: Socket;
  bytes = 0;
  /** How far the bytes had come at which times. */
  readonly arrivals: { readonly bytes: number; readonly at: number }[] = [];
  #enough: { readonly bytes: number; readonly reached: () => void } | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    // A server that stops resets what it has not read.
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      this.bytes += chunk.length;
      this.arrivals.push({ bytes: this.bytes, at: monotonicMs() });
      if (this.#enough !== undefined && this.bytes >= this.#enough.bytes) this.#enough.reached();
    });
  }

  static async open(port: number): Promise<ByteListener> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(handshake);
    await once(socket, 'data');
    return new ByteListener(socket);
  }

  /** Forgets what came, and resolves when so many bytes have come since. */
  expect(bytes: number): Promise<void> {
    this.bytes = 0;
    this.arrivals.length = 0;
    return new Promise((reached) => {
      this.#enough = { bytes, reached };
    });
  }
}

export async function openListeners(port: number, number: number): Promise<ByteListener[]> {
  const listeners: ByteListener[] = [];
  const atOnce = 100;
  while (listeners.length < number) {
    const some = Math.min(atOnce, number - listeners.length);
    listeners.push(...(await Promise.all(Array.from({ length: some }, () => ByteListener.open(port)))));
  }
  return listeners;
}
