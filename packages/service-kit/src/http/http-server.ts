import type * as http from 'node:http';
import { Socket } from 'node:net';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../log/logger.ts';
import { ignoreEmptyBodies } from './bodies.ts';
import { stopGracefully } from './graceful-stop.ts';
import { IncomingMessage, maxHeaderSize, ServerResponse } from './node-http.ts';
import { answerFrameworkError, answerProblems } from './problem-answers.ts';
import { logRequests, newRequestId, requestId, requestIdHeader } from './request-log.ts';
import { answerUnreadable, decodable, originForm, refuseTunnel, whyStrange } from './strange-requests.ts';
import { refuseUnknownRoutes } from './unknown-routes.ts';

/** What clients may take. A peer that is slower than this is not a client but an attack or a dead line. */
export const httpLimits = {
  /** From the connection, or the request's first byte, to the end of its headers. */
  headersMs: 10_000,
  /** The same to the last byte of its body. */
  requestMs: 15_000,
  /** Nothing sent and nothing read of a request or of its answer; what waits for an answer to begin is not silent. */
  silenceMs: 30_000,
  /** Silence between requests; the answer's `Keep-Alive` tells it, and Node waits a second longer. */
  keepAliveMs: 10_000,
  /** How often the times for headers and requests are looked at: a client may exceed them by this much. */
  checkMs: 5_000,
  /** Connections beyond this are closed at once; a farm has dozens of clients, not thousands. */
  connections: 2_000,
  /** What requests in flight may still take once the server is told to stop; a service may take little longer itself. */
  drainMs: 8_000,
} as const;

export type HttpLimits = { readonly [Name in keyof typeof httpLimits]: number };

export interface HttpServerOptions {
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** What routes get as their query before it is checked. */
  readonly readQuery?: (text: string) => Record<string, unknown>;
  /** What machines ask for every few seconds: logged only when it fails, or at debug. */
  readonly polledPaths?: readonly string[];
  /** Where to look for what there is; said to whoever asks for what there is not. */
  readonly guide?: string;
  /** Ends answers that have no end of their own, before what is still open is cut off. */
  readonly lastWords?: () => Promise<void>;
  /** Told the status of each request that no hook sees, as it was refused before it was read. */
  readonly unreadable?: (status: number) => void;
  /** Adds hooks that also run for what is refused because this server stops. */
  readonly first?: (server: Pick<FastifyInstance, 'addHook'>) => void;
  readonly limits?: Partial<HttpLimits>;
}

export type HttpServer = ReturnType<typeof createHttpServer>;

/** The server that both services build on: timeouts, request ids, problem answers, one log line a request. */
export function createHttpServer(
  logger: Logger,
  {
    trustedProxies = [],
    readQuery,
    polledPaths = [],
    guide,
    lastWords = async () => {},
    unreadable = () => {},
    first = () => {},
    limits: given,
  }: HttpServerOptions = {},
) {
  const limits = { ...httpLimits, ...given };
  settleShapes();
  const refuseUnread = (socket: Socket, answer: (requestId: string) => number | undefined) => {
    const requestId = newRequestId();
    // A connection that is cut off meanwhile knows no more where it came from.
    const { remoteAddress: client } = socket;
    const status = answer(requestId);
    // A connection that was only opened, as browsers do ahead of time, has asked for nothing.
    if (status === undefined || socket.bytesRead === 0) return;
    logger.info({ requestId, status, client }, 'a request was refused before it was read');
    unreadable(status);
  };
  const server = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => parent,
    genReqId: ({ headers }) => requestId(headers[requestIdHeader]),
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // A request that has no body needs no stream that tells of its end.
      optimizeEmptyRequests: true,
      // It is asked for here, in words.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) =>
      refuseUnread(socket, (requestId) => answerUnreadable(error, socket, requestId)),
    frameworkErrors: answerFrameworkError,
    rewriteUrl: (request) => decodable(originForm(request)),
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: {
      // No request is longer: what is in a path is refused by its route, behind the guards, and not before them.
      maxParamLength: maxHeaderSize,
      ...(readQuery === undefined ? {} : { querystringParser: readQuery }),
    },
    schemaController: noCompilers,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: limits.keepAliveMs,
  }).withTypeProvider<ZodTypeProvider>();
  server.server.maxConnections = limits.connections;
  server.server.on('timeout', endSilence);
  server.server.on('connect', (_request, socket: Socket) =>
    refuseUnread(socket, (requestId) => refuseTunnel(socket, requestId)),
  );
  // Node would refuse these by itself, without a word.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done(whyStrange(request.raw));
  });
  ignoreEmptyBodies(server);
  logRequests(server, logger, polledPaths);
  answerProblems(server);
  refuseUnknownRoutes(server, guide);
  first(server);
  stopGracefully(server, limits.drainMs, lastWords);
  return server;
}

/** By when V8 has settled it. */
const settledAfter = 8;

/**
 * V8 settles how much room requests and answers have for their members when it has made a few of each, by what it then knows of them; what it
 * has collected meanwhile it does not know. With too little room, each request takes a third more of the processor, for as long as the
 * process runs: so the first are made here, before anything is collected.
 */
function settleShapes(): void {
  for (let made = 0; made < settledAfter; made += 1) new ServerResponse(new IncomingMessage(new Socket()));
}

/**
 * Until an answer begins it is this server that says nothing: what it waits for has a limit of its own, and so has a request that
 * comes slowly. Goes by Node's own mark of the answer that a socket waits for.
 */
function endSilence(
  socket: Socket & { readonly _httpMessage?: Pick<http.ServerResponse, 'headersSent'> | null },
) {
  if (socket._httpMessage?.headersSent !== false) socket.destroy();
}

/**
 * Where the framework would make compilers for JSON schemas. Given something, it does not load its own, which are a
 * good part of a start; a server that has this sets its own before anything can ask.
 */
export const noCompilers = {
  compilersFactory: { buildValidator: neverCalled, buildSerializer: neverCalled },
};

function neverCalled(): never {
  throw new Error('the server has its compilers set');
}
