import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type End = { readonly port: number } | { readonly path: string };

const host = '127.0.0.1';

/** A network between two processes, which can be cut, or swallow everything for a while. */
export class Wire implements AsyncDisposable {
  readonly name: string;
  readonly #to: End;
  readonly #server = createServer((near) => this.#joined(near));
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #isStalled = false;
  times = { cut: 0, stalled: 0 };

  private constructor(name: string, to: End) {
    this.name = name;
    this.#to = to;
  }

  static async between(name: string, from: End | undefined, to: End): Promise<Wire> {
    const wire = new Wire(name, to);
    if (from === undefined) wire.#server.listen(0, host);
    else wire.#server.listen(from);
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Every connection breaks at once, and none is made until it is fixed. */
  cut(): void {
    this.times.cut += 1;
    this.#isCut = true;
    for (const socket of this.#sockets) this.#break(socket);
  }

  /** Nothing gets through, and nobody is told. */
  stall(): void {
    this.times.stalled += 1;
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  fix(): void {
    this.#isCut = false;
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  /** Only TCP knows a reset. */
  #break(socket: Socket): void {
    if ('port' in this.#to) socket.resetAndDestroy();
    else socket.destroy();
  }

  #joined(near: Socket): void {
    if (this.#isCut) {
      this.#break(near.on('error', () => {}));
      return;
    }
    const far = 'path' in this.#to ? connect(this.#to.path) : connect(this.#to.port, host);
    this.#pass(near, far);
    this.#pass(far, near);
  }

  /** Half a connection: what comes goes on as fast as it is taken, and the end of it, too. */
  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (data) => {
      if (!to.write(data)) from.pause();
    });
    to.on('drain', () => {
      if (!this.#isStalled) from.resume();
    });
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#isStalled) from.pause();
  }
}
