import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '@steward/testing/manual-clock';
import { type Farm, farmOf } from '../../src/farm.ts';
import type { StewardOptions } from '../../src/options.ts';
import { ScriptedSocket, type SocketFate } from './scripted-socket.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** When it was asked, since the stage began. */
  readonly atMs: number;
}

/** What becomes of one request. */
export type Fate = (asked: Asked) => Response | Promise<Response>;

export interface ScriptedWorld {
  readonly farm: Farm;
  readonly asked: readonly Asked[];
  /** Those that it opened. */
  readonly sockets: readonly ScriptedSocket[];
  readonly clock: ManualClock;
}

/**
 * A client in a world where each request has its fate, the last of them for ever, as has each socket where there are any, and waits are
 * over when they are told to be.
 */
export function scriptedWorld(
  fates: readonly Fate[],
  options: Partial<StewardOptions> = {},
  random = 0,
  socketFates: readonly SocketFate[] = [],
): ScriptedWorld {
  const clock = new ManualClock();
  const sockets: ScriptedSocket[] = [];
  class WebSocket extends ScriptedSocket {
    constructor(url: string) {
      super(url, socketFates[Math.min(sockets.length, socketFates.length - 1)]);
      sockets.push(this);
    }
  }
  const asked: Asked[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = '', headers = {}, signal } = init;
    const one = {
      url: String(url),
      method,
      headers: headers as Record<string, string>,
      signal: signal as AbortSignal,
      atMs: clock.now(),
    };
    const fate = fates[Math.min(asked.length, fates.length - 1)];
    asked.push(one);
    if (fate === undefined) throw new Error('there is no fate');
    return await fate(one);
  };
  const farm = farmOf(
    { url: 'http://farm.example:8080', ...options },
    {
      fetch,
      WebSocket: socketFates.length === 0 ? undefined : WebSocket,
      random: () => random,
      now: () => clock.now(),
      after(ms, action) {
        const timer = clock.after(ms, action);
        return () => timer.cancel();
      },
    },
  );
  return { farm, asked, sockets, clock };
}

/** What something comes to while time passes. */
export async function whileTimePasses<T>(coming: Promise<T>, clock: ManualClock): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  coming.then(over, over);
  while (!isOver) {
    await setImmediate();
    clock.advance(50);
  }
  return await coming;
}

export const answers =
  (body: object, status = 200): Fate =>
  () =>
    Response.json(body, { status });

/** What Steward says of an error. */
export const problem =
  (status: number, code: string, members: object = {}, headers: Record<string, string> = {}): Fate =>
  () =>
    new Response(JSON.stringify({ type: 'about:blank', status, code, detail: `it is ${code}`, ...members }), {
      status,
      headers: { 'content-type': 'application/problem+json', 'x-request-id': 'r-1', ...headers },
    });

/** What somebody in between says. */
export const page =
  (status: number, headers: Record<string, string> = {}): Fate =>
  () =>
    new Response('<html>nginx</html>', { status, headers: { 'content-type': 'text/html', ...headers } });

export const cut: Fate = () => Promise.reject(new TypeError('fetch failed'));

/** No answer before the request is given up. */
export const silence: Fate = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
