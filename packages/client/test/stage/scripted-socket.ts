import type { Socket } from '../../src/tries.ts';

/** What becomes of one socket. */
export type SocketFate = (socket: ScriptedSocket) => void;

/** The far end of a `WebSocket` is a test. */
export class ScriptedSocket implements Socket {
  readonly url: string;
  readonly sent: unknown[] = [];
  isGivenUp = false;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: ((closed: { code: number }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(url: string, fate: SocketFate | undefined) {
    this.url = url;
    if (fate === blocked) fate(this);
    else queueMicrotask(() => fate?.(this));
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isGivenUp = true;
  }

  open(): void {
    this.onopen?.();
  }

  say(type: string, payload?: object): void {
    this.onmessage?.({ data: JSON.stringify({ type, payload }) });
  }

  /** 1006 where the connection is lost, or none was made. */
  end(code = 1006): void {
    this.onclose?.({ code });
  }
}

interface Subscribed {
  readonly cursor: string;
  readonly missed?: number;
  readonly gap?: boolean;
}

/** Lets the client in, and tells it this. */
export const subscribed =
  ({ cursor, missed = 0, gap = false }: Subscribed, ...events: readonly object[]): SocketFate =>
  (socket) => {
    socket.open();
    socket.say('auth_success');
    socket.say('subscribed', { topics: [], cursor, missed, gap, asEvents: true });
    for (const event of events) socket.say('event', event);
  };

/** Of what becomes of a socket one after the other. */
export const and =
  (...fates: readonly SocketFate[]): SocketFate =>
  (socket) => {
    for (const fate of fates) fate(socket);
  };

export const ended =
  (code?: number): SocketFate =>
  (socket) =>
    socket.end(code);

/** No upgrade comes through. */
export const refused = ended();

/** No connection can be made, and an `error` alone says so, as in Node 22. */
export const failed: SocketFate = (socket) => socket.onerror?.();

export const swallowed: SocketFate = () => {};

/** None may be made at all, as in a page that came by HTTPS, to where HTTP is spoken. */
export const blocked: SocketFate = () => {
  throw new DOMException('The operation is insecure', 'SecurityError');
};
