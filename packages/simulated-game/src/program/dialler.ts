import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { OperatorError } from '@steward/service-kit/process/errors';

// The first time at once, then growing; the protocol wants a dial every 5 s at least.
const firstPauseMs = 100;
const longestPauseMs = 4_000;

export type BridgeAddress =
  | { readonly kind: 'stdio' }
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export function parseBridgeAddress(text: string): BridgeAddress {
  if (text === 'stdio') return { kind: 'stdio' };
  if (text.startsWith('unix:') && text.length > 'unix:'.length) {
    return { kind: 'unix', path: text.slice('unix:'.length) };
  }
  const tcp = /^tcp:(.+):([0-9]{1,5})$/.exec(text);
  const [, host = '', port = ''] = tcp ?? [];
  if (host === '') {
    throw new OperatorError(`FARM_BRIDGE is "${text}": it must be stdio, unix:<path> or tcp:<host>:<port>`);
  }
  return { kind: 'tcp', host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

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
