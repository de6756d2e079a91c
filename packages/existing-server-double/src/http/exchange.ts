import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { readJson, stringifyExact } from '@steward/service-kit/json';

/** Its runtime ends the connection with these. */
const closing = [400, 408, 411, 413, 414, 500, 503];

/** A request on its way to an answer, in the words of this server. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly #response: ServerResponse;
  readonly #query: ReadonlyMap<string, string>;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.#response = response;
    const url = new URL(request.url ?? '/', 'http://double');
    this.path = url.pathname;
    this.#query = queryOf(url.searchParams);
    const requestId = request.headers['x-request-id'];
    if (typeof requestId === 'string' && requestId !== '') response.setHeader('X-Request-Id', requestId);
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  set snapshotAgeMs(age: number) {
    this.#response.setHeader('X-Snapshot-Age-Ms', String(Math.max(0, Math.round(age))));
  }

  /** Names count without their case; an empty value counts as none; what is repeated is joined by commas. */
  parameter(name: string): string | undefined {
    const value = this.#query.get(name.toLowerCase());
    return value === undefined || value === '' ? undefined : value;
  }

  /** As JSON, or undefined. */
  async body(): Promise<unknown> {
    return readJson(await text(this.request));
  }

  /** Members without a value are left out, as `JSON.stringify` does with undefined ones. */
  json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
    this.#end(status, stringifyExact(body), {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
      ...headers,
    });
  }

  text(status: number, type: string, body: string): void {
    this.#end(status, body, { 'Content-Type': type });
  }

  empty(status: number): void {
    this.#end(status, '', {});
  }

  #end(status: number, body: string, headers: Readonly<Record<string, string>>): void {
    const bytes = Buffer.from(body);
    const connection = closing.includes(status) ? { Connection: 'close' } : {};
    this.#response
      .writeHead(status, { 'Content-Length': bytes.length, ...connection, ...headers })
      .end(bytes);
  }
}

function queryOf(parameters: URLSearchParams): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of parameters) {
    const key = name.toLowerCase();
    const earlier = query.get(key);
    query.set(key, earlier === undefined ? value : `${earlier},${value}`);
  }
  return query;
}
