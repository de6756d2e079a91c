import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const handshake = [
  'GET /ws HTTP/1.1',
  'Host: 127.0.0.1',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  '\r\n',
].join('\r\n');

/** A client without a library, for bytes that no library sends. */
export class RawSocket {
  readonly socket: Socket;
  readonly ended: Promise<unknown>;
  #bytes = Buffer.alloc(0);

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.on('data', (data) => {
      this.#bytes = Buffer.concat([this.#bytes, data]);
    });
    this.ended = once(this.socket, 'close');
  }

  static async upgraded(port: number): Promise<RawSocket> {
    const raw = new RawSocket(port);
    raw.write(handshake);
    await raw.has(/\r\n\r\n/);
    return raw;
  }

  write(data: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(data);
  }

  /** Waits until what came matches. */
  async has(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text)) {
      if (this.socket.destroyed) throw new Error(`the server closed after: ${this.text}`);
      await Promise.race([once(this.socket, 'data'), this.ended]);
    }
    return this.text;
  }

  get text(): string {
    return this.#bytes.toString('latin1');
  }

  /** The code of the close frame at the end of what came, if it is one. */
  get closeCode(): number | undefined {
    const at = this.#bytes.lastIndexOf(0x88);
    return at < 0 || this.#bytes.length < at + 4 ? undefined : this.#bytes.readUInt16BE(at + 2);
  }
}

/** A masked frame, as clients must send them. */
export function frame(
  opcode: number,
  payload: string | Uint8Array,
  options: { final?: boolean } = {},
): Buffer {
  const data = Buffer.from(payload as string);
  const head = Buffer.alloc(data.length < 126 ? 2 : 4);
  head[0] = (options.final === false ? 0 : 0x80) | opcode;
  if (data.length < 126) head[1] = 0x80 | data.length;
  else {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(data.length, 2);
  }
  const mask = Buffer.from([1, 2, 3, 4]);
  return Buffer.concat([head, mask, data.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

export const text = 1;
export const continuation = 0;
