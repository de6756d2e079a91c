import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { BridgeAddress } from './bridge-address.ts';

// The first time at once, then growing; the protocol wants a dial every 5 s at least.
const firstPauseMs = 100;
const longestPauseMs = 4_000;

export type DialAddress = Exclude<BridgeAddress, { kind: 'stdio' }>;

/** Dials the control API, for as long as the farm is open and whenever the connection is lost. */
export class Dialler {
  readonly #address: DialAddress;
  readonly #onStream: (stream: Duplex) => void;
  #pauseMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(address: DialAddress, onStream: (stream: Duplex) => void) {
    this.#address = address;
    this.#onStream = onStream;
  }

  /** The connection got as far as a welcome: the next loss is a first one again. */
  succeeded(): void {
    this.#pauseMs = 0;
  }

  dial(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #connect(): void {
    const { kind } = this.#address;
    const stream =
      kind === 'unix' ? connect(this.#address.path) : connect(this.#address.port, this.#address.host);
    const failed = () => this.dial();
    stream.once('error', failed);
    stream.once('connect', () => {
      stream.off('error', failed);
      this.#onStream(stream);
    });
  }
}
