import { setTimeout as pause } from 'node:timers/promises';
import { type Farm, StewardError, steward } from '@steward/client';
import { count } from '@steward/testing/scale';

const betweenMs = count({ small: 75, long: 25 });
const patienceMs = 10_000;

const often = [
  'getStatus',
  'listPlayers',
  'listFarmhands',
  'listCabins',
  'getTime',
  'getSettings',
  'getRendering',
  'getStats',
  'getInviteCode',
] as const;
/** Seldom, as whoever watches a server does. */
const seldom = ['getHealth', 'getReadiness', 'getMetrics', '/api-spec/v1/api-spec.json', '/docs'] as const;
const everySeldom = 10;
/** The server stops: the one thing that a read may say instead of an answer. */
const notNow = 503;

/** A dashboard: it reads everything, over and over. */
export class Reader {
  readonly violations: string[] = [];
  reads = 0;
  failures = 0;
  readonly #farm: Farm;
  readonly #origin: string;
  readonly #key: string;
  #stopped = false;
  readonly #reading: Promise<void>;

  constructor(port: number, key: string) {
    this.#key = key;
    this.#origin = `http://127.0.0.1:${port}`;
    this.#farm = steward({ url: this.#origin, key, timeoutMs: patienceMs, retries: 0 });
    this.#reading = this.#read();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (let turn = 0; !this.#stopped; turn += 1) {
      const isSeldom = turn % everySeldom === 0;
      const read = isSeldom
        ? seldom[Math.floor(turn / everySeldom) % seldom.length]
        : often[turn % often.length];
      await this.#look(read ?? 'getStatus');
      await pause(betweenMs);
    }
  }

  async #look(read: (typeof often | typeof seldom)[number]): Promise<void> {
    try {
      await (isPage(read) ? page(`${this.#origin}${read}`, this.#key) : this.#farm[read]());
      this.reads += 1;
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      const { code, status, detail } = error;
      if (status === undefined) this.failures += 1;
      else this.reads += 1;
      if (status !== undefined && status !== notNow)
        this.violations.push(`${read} is answered with ${status} ${code}: ${detail}`);
    }
  }
}

/** What is there for people is no operation. */
function isPage(read: string): read is `/${string}` {
  return read.startsWith('/');
}

async function page(url: string, key: string): Promise<void> {
  const init = { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(patienceMs) };
  const read = async () => {
    const answer = await fetch(url, init);
    return { status: answer.status, text: await answer.text() };
  };
  const { status, text } = await read().catch((cause: unknown) => {
    throw new StewardError('network', `There is no answer, or not all of one, from ${url}`, { cause });
  });
  if (status !== 200) throw new StewardError('not-steward', text.slice(0, 200), { status });
}
