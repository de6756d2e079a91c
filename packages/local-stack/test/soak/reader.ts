import { setTimeout as pause } from 'node:timers/promises';
import { key } from '../chaos/programs.ts';

const betweenMs = 25;
const patienceMs = 10_000;

const paths = [
  '/status',
  '/players',
  '/farmhands',
  '/cabins',
  '/time',
  '/settings',
  '/rendering',
  '/stats',
  '/invite-code',
];
/** Seldom, as whoever watches a server does. */
const seldom = ['/health', '/health/ready', '/metrics', '/api-spec/v1/api-spec.json', '/docs'];
const everySeldom = 10;
/** Players cannot join, or the server stops: the two things that a read may say instead of an answer. */
const notNow = [503];

/** A dashboard: it reads everything, over and over. */
export class Reader {
  readonly violations: string[] = [];
  reads = 0;
  failures = 0;
  readonly #origin: string;
  #stopped = false;
  readonly #reading: Promise<void>;

  constructor(port: number) {
    this.#origin = `http://127.0.0.1:${port}`;
    this.#reading = this.#read();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (let turn = 0; !this.#stopped; turn += 1) {
      const list = turn % everySeldom === 0 ? seldom : paths;
      await this.#look(list[Math.floor(turn / (list === seldom ? everySeldom : 1)) % list.length] ?? '');
      await pause(betweenMs);
    }
  }

  async #look(path: string): Promise<void> {
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await fetch(`${this.#origin}${path}`, {
        headers: { authorization: `Bearer ${key}` },
        signal,
      });
      const text = await answer.text();
      this.reads += 1;
      if (answer.status !== 200 && !notNow.includes(answer.status))
        this.violations.push(`${path} answers ${answer.status}: ${text.slice(0, 200)}`);
      if (answer.headers.get('content-type')?.includes('json')) JSON.parse(text);
    } catch (error) {
      this.failures += 1;
      if (error instanceof SyntaxError) this.violations.push(`${path} is no JSON: ${error.message}`);
    }
  }
}
