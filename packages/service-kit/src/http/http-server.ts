import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../log/logger.ts';
import { refuseWhileStopping } from './graceful-stop.ts';
import { answerFrameworkError, answerProblems } from './problem-answers.ts';
import { logRequests } from './request-log.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** What a client may take. A peer that is slower than this is not a client but an attack or a dead line. */
const timeouts = {
  /** From the connection to the last byte of the request. */
  requestTimeout: 15_000,
  /** Silence on a connection while a request is under way. */
  connectionTimeout: 30_000,
  /** Silence between requests. */
  keepAliveTimeout: 10_000,
} as const;

/** How often the timeouts are looked at: a client may exceed one by this much. */
const timeoutCheckMs = 5_000;

/** Connections beyond this are closed at once; a farm has dozens of clients, not thousands. */
const connectionLimit = 2_000;

const requestIdShape = /^[A-Za-z0-9._:-]{1,128}$/;

export interface HttpServerOptions {
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** What routes get as their query before it is checked. */
  readonly readQuery?: (text: string) => Record<string, unknown>;
  /** What machines ask for every few seconds: logged only when it fails, or at debug. */
  readonly polledPaths?: readonly string[];
}

export type HttpServer = ReturnType<typeof createHttpServer>;

/** The server that both services build on: timeouts, request ids, problem answers, one log line a request. */
export function createHttpServer(
  logger: Logger,
  { trustedProxies = [], readQuery, polledPaths = [] }: HttpServerOptions = {},
) {
  const server = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => parent,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    http: { headersTimeout: timeouts.requestTimeout, connectionsCheckingInterval: timeoutCheckMs },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, randomUUID()),
    frameworkErrors: answerFrameworkError,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: readQuery === undefined ? {} : { querystringParser: readQuery },
    schemaController: { compilersFactory: { buildValidator: neverCalled, buildSerializer: neverCalled } },
    ...timeouts,
  }).withTypeProvider<ZodTypeProvider>();
  server.server.maxConnections = connectionLimit;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  logRequests(server, logger, polledPaths);
  answerProblems(server);
  refuseWhileStopping(server);
  return server;
}

/**
 * Where the framework would make compilers for JSON schemas. Given something, it does not load its own, which are a
 * good part of a start; ours are set before anything can ask.
 */
function neverCalled(): never {
  throw new Error('the server has its compilers set');
}

/** The caller's own id when it is fit to stand in a log line, else a new one. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && requestIdShape.test(given) ? given : randomUUID();
}
