import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Channel } from '../../chat/channel.ts';

const pongFinal = 0x8a;

/** Writes whole frames to the socket below the library, which would frame each text anew for each client. */
export class SocketChannel implements Channel {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
  }

  get unread(): number {
    return this.#socket.writableLength;
  }

  write(frame: Buffer): boolean {
    // After a close frame nothing may follow; what is pretended to be taken is dropped.
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return true;
    return this.#socket.write(frame);
  }

  whenTaken(action: () => void): void {
    this.#socket.once('drain', action);
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  terminate(): void {
    this.#webSocket.terminate();
  }
}

/** The answer to a protocol ping, which carries the ping's own bytes: at most 125. */
export function pongFrame(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([pongFinal, data.length]), data]);
}
