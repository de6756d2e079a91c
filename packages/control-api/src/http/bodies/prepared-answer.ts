import { hash } from 'node:crypto';
import { stringifyExact } from '@steward/shared/json/exact';

export const jsonContentType = 'application/json; charset=utf-8';

/** An answer with its length and entity tag: made once, sent as often as it is asked for. */
export class PreparedAnswer {
  readonly bytes: Buffer;
  /**
   * The bytes as text of one character each (`latin1`): Node sends text together with the head in one write, bytes in a
   * second one, and encodes other text anew each time.
   */
  readonly byteText: string;
  readonly length: string;
  readonly etag: string;

  constructor(value: unknown) {
    this.bytes = Buffer.from(stringifyExact(value));
    this.byteText = this.bytes.toString('latin1');
    this.length = String(this.bytes.length);
    this.etag = `"${hash('sha256', this.bytes, 'base64url').slice(0, 22)}"`;
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
      answer = new PreparedAnswer(make(from));
      madeFrom = from;
    }
    return answer;
  };
}

interface Conditional {
  readonly headers: { readonly 'if-none-match'?: string | undefined };
}

interface Sending {
  header(name: string, value: string | number): unknown;
  code(status: number): unknown;
  send(payload?: unknown): unknown;
}

/** Sends the bytes, or 304 to whoever has them already. */
export function sendPrepared(
  request: Conditional,
  reply: Sending,
  { bytes, length, etag }: PreparedAnswer,
): void {
  reply.header('etag', etag);
  reply.header('cache-control', 'no-cache');
  const known = request.headers['if-none-match'];
  if (known !== undefined && matches(known, etag)) {
    reply.code(304);
    reply.send();
    return;
  }
  reply.header('content-type', jsonContentType);
  reply.header('content-length', length);
  reply.send(bytes);
}

/** Sends what belongs to one request alone. */
export function sendJson(reply: Sending, value: unknown): void {
  reply.header('cache-control', 'no-store');
  reply.header('content-type', jsonContentType);
  reply.send(Buffer.from(stringifyExact(value)));
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((one) => {
    const known = one.trim();
    return known === '*' || known.replace(/^W\//, '') === etag;
  });
}
