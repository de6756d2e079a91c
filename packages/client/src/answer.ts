import { StewardError } from './error.ts';
import { parseExact } from './exact-json.ts';
import type { Problem } from './generated/api.ts';

/** What an operation answers with where it succeeds: a 2xx of this media type. */
export interface Expected {
  readonly type: string;
  /** Another status that comes with an answer rather than an error. */
  readonly alsoStatus: number | undefined;
}

/** What comes of a `fetch`, that may fail at once or later. */
export async function reached(fetched: () => Promise<Response>, base: string): Promise<Response> {
  try {
    return await fetched();
  } catch (cause) {
    throw new StewardError('network', `The server cannot be reached at ${base}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** Why, at the end of the chain: that a fetch failed helps nobody. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

/** What is answered with where nothing else is said. */
export const json = 'application/json';

/** Throws a StewardError for whatever is no success. */
export async function readAnswer(response: Response, expected: Expected): Promise<unknown> {
  const { ok, status } = response;
  const isSuccess = ok || status === expected.alsoStatus;
  if (!isSuccess || typeOf(response) !== expected.type) throw await errorOf(response);
  if (expected.type === json) return parsed(await textOf(response), status);
  if (expected.type === 'text/plain') return textOf(response);
  // A backup may be larger than memory: it is read by whoever asked.
  return expected.type === 'image/png' ? pictureOf(response) : response.body;
}

/** Of its content, without what is said beside it. */
export function typeOf({ headers }: Response): string | undefined {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
}

/** Why an answer is not what was asked for. */
export async function errorOf(response: Response): Promise<StewardError> {
  const { status, headers } = response;
  const told = {
    status,
    retryAfterMs: retryAfterMs(headers),
    requestId: headers.get('x-request-id') ?? undefined,
  };
  if (typeOf(response) === 'application/problem+json') {
    const problem = parsed(await textOf(response), status) as Problem;
    // A proxy may speak of problems, too.
    if (typeof problem?.code === 'string' && typeof problem.detail === 'string')
      return new StewardError(problem.code, problem.detail, { ...told, applied: problem.applied, problem });
  }
  // What others say is not for us; unread, it would hold the connection.
  else void response.body?.cancel().catch(() => {});
  // Whoever says that has not read the request, and handed it to nobody.
  const isTooLong = tooLong.has(status);
  const applied = isTooLong ? false : undefined;
  return new StewardError('not-steward', notSteward(response), { ...told, applied });
}

const tooLong: ReadonlySet<number> = new Set([413, 414, 431]);

function notSteward({ type, status, headers }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const to = headers.get('location');
    return `Redirected${to === null ? '' : ` to ${to}`}: use the target URL, because a redirect would turn a change into another request`;
  }
  if (tooLong.has(status))
    return `The request is too long: a server in between, not Steward, answered with ${status}`;
  return `Another server, not Steward, answered with ${status}: check the url, and the proxies in between`;
}

/** Far more than any answer that is not handed out as a stream. */
const longestText = 64 * 1_048_576;

/** A picture of the game is some hundred kilobytes. */
const longestPicture = 4 * 1_048_576;

function textOf(response: Response): Promise<string> {
  return whole(response, async ({ body }) => {
    // Engines without streams have the whole of it already.
    if (endsInTime(response) || !hasPieces(body)) return await response.text();
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of piecesOf(body, longestText)) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  });
}

/** Read before it is handed out: so it has an end, and comes in the time that the call has. */
function pictureOf(response: Response): Promise<Response['body']> {
  return whole(response, async ({ body }) => {
    if (!hasPieces(body)) return body;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of piecesOf(body, longestPicture)) pieces.push(piece);
    return new Blob(pieces).stream();
  });
}

async function whole<T>(response: Response, read: (response: Response) => Promise<T>): Promise<T> {
  try {
    return await read(response);
  } catch (cause) {
    if (cause instanceof StewardError) throw cause;
    const { status } = response;
    throw new StewardError('network', 'The connection was cut within the answer', { status, cause });
  }
}

/** Nothing can be longer than it says, but for what is unpacked here. Reading bit by bit takes memory of its own. */
function endsInTime({ headers }: Response): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) <= longestText && !headers.has('content-encoding');
}

function hasPieces(body: Response['body']): body is NonNullable<Response['body']> {
  return typeof body?.getReader === 'function';
}

/** Whoever poses as the server may go on for ever: it is read to its limit, and no further. */
async function* piecesOf(body: NonNullable<Response['body']>, most: number) {
  const reader = body.getReader();
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.length;
    if (bytes > most) {
      void reader.cancel().catch(() => {});
      throw new StewardError('not-steward', 'The answer is longer than any from Steward');
    }
    yield value;
  }
}

/** Not every proxy says that it was cut off itself: what ends too soon is no JSON. */
export function parsed(text: string, status: number): unknown {
  try {
    return parseExact(text);
  } catch (cause) {
    throw new StewardError('network', 'The answer was cut off on its way', { status, cause });
  }
}

/** In seconds, or as a date by the clock of who says it, where a browser shows that one. */
function retryAfterMs(headers: Headers): number | undefined {
  const said = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1_000;
  // What else there is engines take for dates of many kinds.
  if (!said.endsWith(' GMT')) return undefined;
  const ms = Date.parse(said) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
