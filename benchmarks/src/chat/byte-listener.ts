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

/** All listeners read into the same bytes, which nobody looks at: what is measured is the server, not this process. */
const unseen = Buffer.allocUnsafeSlow(64 * 1024);

/** Counts bytes instead of parsing frames: a thousand of these cost less than the server that feeds them. */
export class ByteListener {
  readonly socket: Socket;
  bytes = 0;
  /** How far the bytes had come at which times. */
  readonly arrivals: { readonly bytes: number; readonly at: number }[] = [];
  #enough: { readonly bytes: number; readonly reached: () => void } | undefined;

  private constructor(port: number) {
    const callback = (bytes: number): boolean => {
      this.#arrived(bytes);
      return true;
    };
    this.socket = connect({ port, host: '127.0.0.1', onread: { buffer: unseen, callback } });
  }

  static async open(port: number): Promise<ByteListener> {
    const listener = new ByteListener(port);
    await once(listener.socket, 'connect');
    // A server that stops resets what it has not read.
    listener.socket.on('error', () => {});
    const accepted = listener.expect(1);
    listener.socket.write(handshake);
    await accepted;
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
    this.bytes += bytes;
    this.arrivals.push({ bytes: this.bytes, at: monotonicMs() });
    if (this.#enough !== undefined && this.bytes >= this.#enough.bytes) this.#enough.reached();
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
