import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Changes } from '@steward/testing/changes';

export interface Item {
  readonly type: string;
  readonly at: string;
  readonly cursor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ReaderOptions {
  /** Behind the path, with its question mark. */
  readonly query?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Told of each event as it comes. */
  readonly heard?: (item: Item) => void;
}

/** Reads a stream as the standard of Server-Sent Events has it, and nothing that it has not. */
export class StreamReader implements Disposable {
  readonly response: IncomingMessage;
  /** What came of each event that has data, by its name. */
  readonly heard: { readonly name: string; readonly item: Item }[] = [];
  /** Where a reader is that comes back now. */
  lastEventId = '';
  retryMs: number | undefined;
  comments = 0;
  text = '';
  isOver = false;
  readonly over: Promise<unknown>;
  readonly #changes = new Changes();
  #read = 0;
  #rest = '';
  #id = '';
  #name = '';
  #data: string[] = [];

  readonly #told: (item: Item) => void;

  private constructor(response: IncomingMessage, told: (item: Item) => void) {
    this.response = response;
    this.#told = told;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('error', () => {});
    this.over = new Promise((resolve) => {
      response.once('close', () => {
        this.isOver = true;
        this.#changes.told();
        resolve(undefined);
      });
    });
  }

  static async open(
    port: number,
    { query = '', key, headers, heard = () => {} }: ReaderOptions = {},
  ): Promise<StreamReader> {
    const asked = request({
      port,
      host: '127.0.0.1',
      path: `/events/stream${query}`,
      agent: false,
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
    });
    asked.on('error', () => {});
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return new StreamReader(response, heard);
  }

  get items(): Item[] {
    return this.heard.map(({ item }) => item);
  }

  get types(): string[] {
    return this.items.map(({ type }) => type);
  }

  /** The next event. */
  async next(): Promise<Item> {
    await this.until(() => this.heard.length > this.#read || this.isOver);
    const next = this.items[this.#read];
    if (next === undefined) throw new Error(`the stream is over after: ${this.text}`);
    this.#read += 1;
    return next;
  }

  until(isSo: () => boolean): Promise<unknown> {
    return this.#changes.until(() => isSo() || undefined, { missing: () => `not so after: ${this.text}` });
  }

  [Symbol.dispose](): void {
    // What was read and not yet told is nobody's.
    this.response.removeAllListeners('data').destroy();
  }

  #take(text: string): void {
    this.text += text;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    this.#changes.told();
  }

  #line(line: string): void {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (line === '') this.#dispatch();
    else if (field === '') this.comments += 1;
    else if (field === 'id') this.#id = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'retry') this.retryMs = Number(value);
  }

  #dispatch(): void {
    this.lastEventId = this.#id;
    if (this.#data.length > 0) {
      const item: Item = JSON.parse(this.#data.join('\n'));
      this.heard.push({ name: this.#name || 'message', item });
      this.#told(item);
    }
    this.#data = [];
    this.#name = '';
  }
}
