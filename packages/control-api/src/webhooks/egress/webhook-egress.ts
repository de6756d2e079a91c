import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock, Timer } from '@steward/service-kit/clock';
import { request } from '@steward/service-kit/http/node-http';
import { errorCode } from '@steward/service-kit/process/errors';
import type { Answered, Egress, Message, Posted } from '../sending.ts';
import { type Allowed, AllowList } from './allow-list.ts';
import { hostOf, objectionToAddresses, readDestination } from './destination.ts';

export const egressLimits = {
  /**
   * For all of it: the name once it is its turn, the connection, the answer to its last byte. Receivers are to answer first and work
   * later.
   */
  postMs: 10_000,
  /** As much of an answer as is read: what Discord says of its pauses is far shorter. */
  answerBytes: 8 * 1024,
  reasonCharacters: 300,
} as const;

export interface EgressParts {
  readonly allowed: readonly Allowed[];
  readonly clock: Pick<Clock, 'after'>;
  /** Every address of a name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly postMs?: number;
}

/**
 * The one way that webhooks leave by. Who makes one chooses where this service sends something, and this service stands where
 * others must not reach: so it goes to public addresses alone and to what the operator lists.
 */
export class WebhookEgress implements Egress {
  readonly #allow: AllowList;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #resolve: (host: string) => Promise<readonly string[]>;
  readonly #postMs: number;
  #lastLookup: Promise<unknown> = Promise.resolve();

  constructor({ allowed, clock, resolve = systemAddresses, postMs = egressLimits.postMs }: EgressParts) {
    this.#allow = new AllowList(allowed);
    this.#clock = clock;
    this.#resolve = resolve;
    this.#postMs = postMs;
  }

  check(url: string): string | undefined {
    const read = readDestination(url, this.#allow);
    return read.ok ? undefined : `The URL ${read.reason}`;
  }

  async post(text: string, message: Pick<Message, 'headers' | 'body'>, signal: AbortSignal): Promise<Posted> {
    const read = readDestination(text, this.#allow);
    if (!read.ok) return { kind: 'failed', reason: `The URL ${read.reason}` };
    const url = read.value;
    const ending = new AbortController();
    let ended: string | undefined;
    const end = (why: string): void => {
      ended ??= why;
      ending.abort();
    };
    const breakOff = (): void => end('has not answered yet: this webhook was stopped');
    let timer: Timer | undefined;
    const begin = (): void => {
      timer = this.#clock.after(this.#postMs, () => end(`has not answered within ${this.#postMs / 1_000} s`));
    };
    if (signal.aborted) breakOff();
    signal.addEventListener('abort', breakOff);
    try {
      const addresses = await this.#addressesOf(hostOf(url), begin, ending.signal);
      const objection = objectionToAddresses(url, addresses, this.#allow);
      if (objection !== undefined) return { kind: 'failed', reason: `The URL ${objection}` };
      return await exchange(url, addresses, message, ending.signal);
    } catch (error) {
      return { kind: 'failed', reason: `${url.host} ${ended ?? wordsOf(error)}` };
    } finally {
      timer?.cancel();
      // One signal outlives all requests of a hook.
      signal.removeEventListener('abort', breakOff);
    }
  }

  /**
   * One name at a time: the system looks up only two at once for the whole process, and names that nobody answers for would keep the
   * sidecar's from being found. Whoever waits for such a name is late, and has lost nothing of its own time.
   */
  async #addressesOf(host: string, begin: () => void, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(host) !== 0) {
      begin();
      return [host];
    }
    const found = this.#lastLookup.then(() => {
      if (signal.aborted) return [];
      begin();
      return this.#resolve(host);
    });
    this.#lastLookup = found.catch(() => {});
    const addresses = await orAborted(found, signal);
    if (addresses.length === 0) throw new Error('its name has no address');
    return addresses;
  }
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

/** Nobody can end a look-up; it goes on without whoever asked. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** One request, to one of these addresses: no other is looked up, whatever the name leads to by now. */
function exchange(
  url: URL,
  addresses: readonly string[],
  { headers, body }: Pick<Message, 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  // TLS is loaded with the first webhook that needs it: most servers have none, and it takes 2 MB.
  const module = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : { request };
  const asking = module.request(url, {
    method: 'POST',
    headers: { 'user-agent': 'Steward', ...headers, 'content-length': Buffer.byteLength(body) },
    // A connection of its own, which ends with the answer and goes to no proxy, whatever the environment names.
    agent: false,
    lookup: onlyTo(addresses),
    // Not for the environment to switch off.
    rejectUnauthorized: true,
    signal,
  });
  let answered = false;
  asking.on('response', (response) => {
    answered = true;
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= egressLimits.answerBytes) response.destroy();
    });
    // What breaks off behind the status changes nothing about it.
    response.on('error', () => {});
    response.on('close', () =>
      resolve({
        kind: 'answered',
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: Buffer.concat(pieces).subarray(0, egressLimits.answerBytes).toString(),
      }),
    );
  });
  asking.on('error', (error) => {
    if (!answered) reject(error);
  });
  asking.on('close', () => {
    if (!answered) reject(new Error('the connection ended without an answer'));
  });
  asking.end(body);
  return promise;
}

function onlyTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, give) => {
    const [first] = all;
    if (options.all) give(null, all);
    else give(null, first?.address ?? '', first?.family);
  };
}

const usualReasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOTFOUND', 'is an unknown name'],
  ['EAI_AGAIN', 'cannot be looked up: no name server answers'],
  ['ECONNREFUSED', 'refuses the connection'],
  ['ECONNRESET', 'closed the connection without an answer'],
  ['EHOSTUNREACH', 'cannot be reached from here'],
  ['ENETUNREACH', 'cannot be reached from here'],
  ['ETIMEDOUT', 'does not answer'],
]);

/** What went wrong, after the name of the host. */
function wordsOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const usual = usualReasons.get(errorCode(first));
  if (usual !== undefined) return usual;
  const words = first instanceof Error ? first.message : String(first);
  return `cannot be reached: ${words.replace(/\p{Cc}/gu, ' ').slice(0, egressLimits.reasonCharacters)}`;
}
