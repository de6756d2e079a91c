import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@steward/service-kit/clock';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { type AnsweredRequest, pathOf } from '@steward/service-kit/http/request-log';
import type { QueryOf } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventStreams, StreamSink } from '../../events/event-streams.ts';
import type { Seats } from '../../events/seats.ts';
import { type Cursor, parseCursor } from '../../game/state/event-log.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { KeyGuard } from '../guards/authentication.ts';
import { choiceFor, takeSeat } from '../guards/listening.ts';

export interface StreamRouteParts {
  readonly streams: EventStreams;
  readonly seats: Seats;
  readonly keys: Pick<KeyGuard, 'denied'> | undefined;
  readonly clock: Pick<Clock, 'after' | 'now'>;
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
  const { socket } = reply.raw;
  // Node tells nobody that the client has left whose answer waits for another, and a seat would be taken for ever.
  if (socket === null) throw new Problem('malformed-request', 'A stream needs its own connection');
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
  response.flushHeaders();
  const { caller } = request;
  const gone = parts.streams.open(new ConnectionSink(socket, parts), { caller, choice, after });
  const { id: requestId, method } = request;
  whenClosed(socket, { requestId, status: 200, method, path: pathOf(request) }, parts, () => {
    gone();
    release();
  });
  takeOver(socket, response, request.raw);
  return reply;
}

/** By itself, so that the request and all that the framework knows of it need not stay for as long as the stream. */
function whenClosed(
  socket: Socket,
  line: Omit<AnsweredRequest, 'ms'>,
  { clock, log }: Pick<StreamRouteParts, 'clock' | 'log'>,
  closed: () => void,
): void {
  const began = clock.now();
  // Not `once`, which would keep three things more for each stream: it comes once anyway.
  socket.on('close', () => {
    closed();
    log({ ...line, ms: Math.round(clock.now() - began) });
  });
}

/** Connections that are streams. */
const streaming = new WeakSet<Socket>();

const noHeaders: IncomingHttpHeaders = {};
const noRawHeaders: string[] = [];

/**
 * From here on the connection is the stream's alone. Node's answer, and what hangs on it, would be three kilobytes for each; of the
 * request it keeps what it knows of no end of, which need not be its headers.
 */
function takeOver(socket: Socket, response: ServerResponse, request: IncomingMessage): void {
  streaming.add(socket);
  request.headers = noHeaders;
  request.rawHeaders = noRawHeaders;
  response.detachSocket(socket);
  // For whoever counts requests in flight it is answered.
  response.emit('close');
}

/** Cuts off whoever asks for more on the connection of a stream: the answer would stand in the middle of it. */
export function leaveStreamsAlone({ server }: HttpServer): void {
  server.prependListener('request', ({ socket }) => {
    if (streaming.has(socket)) socket.destroy();
  });
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

/** Writes whole frames into an answer that has no end, below Node's HTTP. */
class ConnectionSink implements StreamSink {
  readonly #socket: Socket;
  readonly #parts: Pick<StreamRouteParts, 'clock' | 'closeMs'>;

  constructor(socket: Socket, parts: Pick<StreamRouteParts, 'clock' | 'closeMs'>) {
    this.#socket = socket;
    this.#parts = parts;
  }

  get unread(): number {
    return this.#socket.writableLength;
  }

  write(frame: Buffer): boolean {
    const { destroyed, writableEnded } = this.#socket;
    // What is pretended to be taken is dropped.
    return destroyed || writableEnded || this.#socket.write(frame);
  }

  whenTaken(action: () => void): void {
    this.#socket.once('drain', action);
  }

  end(): Promise<void> {
    const { clock, closeMs } = this.#parts;
    if (this.#socket.destroyed) return Promise.resolve();
    const cutting = clock.after(closeMs, () => this.cut());
    this.#socket.end();
    return new Promise((resolve) => {
      this.#socket.once('close', () => {
        cutting.cancel();
        resolve();
      });
    });
  }

  cut(): void {
    this.#socket.destroy();
  }
}
