import { hash } from 'node:crypto';
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { stringifyExact } from '@steward/service-kit/json';
import type { FastifyReply } from 'fastify';

const jsonContentType = 'application/json; charset=utf-8';

/** An answer with its length and entity tag: made once, sent as often as it is asked for. */
export class PreparedAnswer {
  /**
   * The bytes as text of one character each (`latin1`): Node sends text together with the head in one write, bytes in a
   * second one, and encodes other text anew each time.
   */
  readonly byteText: string;
  readonly length: string;
  readonly etag: string;

  static of(value: unknown): PreparedAnswer {
    return new PreparedAnswer(Buffer.from(stringifyExact(value)));
  }

  constructor(bytes: Buffer) {
    this.byteText = bytes.toString('latin1');
    this.length = String(bytes.length);
    this.etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  }
}

/** Makes an answer anew when what it is made from is another object than last time. */
export function preparedFrom<Source extends object>(
  source: () => Source,
  make: (from: Source) => unknown,
): () => PreparedAnswer {
  let madeFrom: Source | undefined;
  let answer: PreparedAnswer | undefined;
  return () => {
    const from = source();
    if (answer === undefined || from !== madeFrom) {
      answer = PreparedAnswer.of(make(from));
      madeFrom = from;
    }
    return answer;
  };
}

interface Asked {
  readonly headers: { readonly 'if-none-match'?: string | undefined };
}

/**
 * Writes the bytes, or 304 to whoever has them already, and returns the status. `beside` are the headers that every answer has,
 * names and values in turn, as Node writes them out soonest; the age is that of what is shown, where it has one.
 */
export function writePrepared(
  { headers }: Asked,
  response: ServerResponse,
  { byteText, length, etag }: PreparedAnswer,
  beside: readonly OutgoingHttpHeader[],
  ageMs: number | undefined,
): 200 | 304 {
  const head = beside.slice();
  head.push('etag', etag, 'cache-control', 'no-cache');
  if (ageMs !== undefined) head.push('x-snapshot-age-ms', ageMs);
  const known = headers['if-none-match'];
  if (known !== undefined && matches(known, etag)) {
    response.writeHead(304, head).end();
    return 304;
  }
  head.push('content-type', jsonContentType, 'content-length', length);
  response.writeHead(200, head).end(byteText, 'latin1');
  return 200;
}

/** The same from a route, past the framework's own sending: that would count the bytes of each text anew, and knows only UTF-8. */
export function sendPrepared(
  request: Asked,
  reply: Pick<FastifyReply, 'getHeaders' | 'hijack'>,
  answer: PreparedAnswer,
  ageMs?: number,
): void {
  const beside = Object.entries(reply.getHeaders()) as [string, OutgoingHttpHeader][];
  writePrepared(request, reply.hijack().raw, answer, beside.flat(), ageMs);
}

/** Sends what belongs to one request alone. */
export function sendJson(reply: Pick<FastifyReply, 'header' | 'send'>, value: unknown): void {
  reply.header('cache-control', 'no-store');
  reply.header('content-type', jsonContentType);
  reply.send(stringifyExact(value));
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((one) => {
    const known = one.trim();
    return known === '*' || known.replace(/^W\//, '') === etag;
  });
}
