import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@steward/service-kit/clock';
import { type AnsweredRequest, pathOf } from '@steward/service-kit/http/request-log';
import type { QueryOf } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventStreams, StreamSink } from '../../events/event-streams.ts';
import type { Seats } from '../../events/seats.ts';
import { type Cursor, parseCursor } from '../../game/events/event-log.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { KeyGuard } from '../guards/authentication.ts';
import { choiceFor, takeSeat } from '../guards/listening.ts';

export interface StreamRouteParts {
  readonly streams: EventStreams;
  readonly seats: Seats;
  readonly keys: Pick<KeyGuard, 'denied'> | undefined;
  readonly clock: Pick<Clock, 'after'>;
  /** How long a reader may take for the rest of a stream that has ended. */
  readonly closeMs: number;
  readonly log: (answered: AnsweredRequest) => void;
}

/** `GET /events/stream`: the answer is taken from the framework, which knows of none that has no end. */
export function eventStreamHandlers(parts: StreamRouteParts): Pick<Handlers, 'streamEvents'> {
  return { streamEvents: { handler: (request, reply) => stream(request, reply, parts) } };
}

function stream(request: FastifyRequest, reply: FastifyReply, parts: StreamRouteParts): FastifyReply {
  const { topics, after: asked } = request.query as QueryOf<'streamEvents'>;
  const choice = choiceFor(request, topics, parts.keys);
  const after = placeOf(request.headers['last-event-id'] || asked);
  // Node tells nobody that the client has left whose answer waits for another, and a seat would be taken for ever.
  if (reply.raw.socket === null)
    throw new Problem('malformed-request', 'A stream needs a connection of its own');
  const isHead = request.method === 'HEAD';
  const release = isHead ? () => {} : takeSeat(parts.seats, 'stream', request);
  const response = reply.hijack().raw;
  // It lasts as long as the connection, so pieces of it need no lengths of their own.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, headersOf(reply));
  if (isHead) {
    response.end();
    return reply;
  }
  const sink = new ResponseSink(response, parts);
  const gone = parts.streams.open(sink, { caller: request.caller, choice, after });
  response.once('close', () => {
    gone();
    release();
    // Of an answer that its client does not wait for the framework says nothing.
    if (!response.writableFinished) parts.log(lineOf(request, reply));
  });
  return reply;
}

function lineOf(request: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply): AnsweredRequest {
  const { id: requestId, method } = request;
  return { requestId, status, ms: Math.round(elapsedTime), method, path: pathOf(request) };
}

/** Given all at once they are written and forgotten; set one by one, each would stay for as long as the stream. */
function headersOf(reply: FastifyReply): OutgoingHttpHeaders {
  const given = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...streamHeaders };
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would hold it back until there is more of it.
  'x-accel-buffering': 'no',
  connection: 'close',
} as const;

/** Of what `EventSource` sends by itself when it comes back, or of what was asked for. */
function placeOf(cursor: string | string[] | undefined): Cursor | undefined {
  if (cursor === undefined) return undefined;
  const place = parseCursor(String(cursor));
  if (place.ok) return place.value;
  throw new Problem('invalid-parameter', `Last-Event-ID, or after, ${place.reason}`);
}

/** Writes whole frames into an answer that has no end. */
class ResponseSink implements StreamSink {
  readonly #response: ServerResponse;
  readonly #parts: Pick<StreamRouteParts, 'clock' | 'closeMs'>;

  constructor(response: ServerResponse, parts: Pick<StreamRouteParts, 'clock' | 'closeMs'>) {
    this.#response = response;
    this.#parts = parts;
  }

  /** What waits in the answer, and in the socket behind it. */
  get unread(): number {
    return this.#response.writableLength;
  }

  write(frame: Buffer): boolean {
    const { destroyed, writableEnded } = this.#response;
    // What is pretended to be taken is dropped.
    return destroyed || writableEnded || this.#response.write(frame);
  }

  whenTaken(action: () => void): void {
    this.#response.once('drain', action);
  }

  end(): void {
    const { clock, closeMs } = this.#parts;
    const cutting = clock.after(closeMs, () => this.cut());
    this.#response.once('close', () => cutting.cancel());
    this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }
}
