import type { Socket } from 'node:net';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../log/logger.ts';
import { ignoreEmptyBodies } from './bodies.ts';
import { stopGracefully } from './graceful-stop.ts';
import { type HttpLimits, httpLimits } from './http-limits.ts';
import { noCompilers } from './no-compilers.ts';
import { answerFrameworkError, answerProblems } from './problem-answers.ts';
import { newRequestId, requestId, requestIdHeader } from './request-id.ts';
import { logRequests } from './request-log.ts';
import { originForm, whyStrange } from './strange-requests.ts';
import { answerUnreadable, refuseTunnel } from './unreadable-request.ts';

export interface HttpServerOptions {
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** What routes get as their query before it is checked. */
  readonly readQuery?: (text: string) => Record<string, unknown>;
  /** What machines ask for every few seconds: logged only when it fails, or at debug. */
  readonly polledPaths?: readonly string[];
  /** Where to look for what there is; said to whoever asks for what there is not. */
  readonly guide?: string;
  readonly limits?: Partial<HttpLimits>;
}

export type HttpServer = ReturnType<typeof createHttpServer>;

/** The server that both services build on: timeouts, request ids, problem answers, one log line a request. */
export function createHttpServer(
  logger: Logger,
  { trustedProxies = [], readQuery, polledPaths = [], guide, limits: given }: HttpServerOptions = {},
) {
  const limits = { ...httpLimits, ...given };
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
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newRequestId()),
    frameworkErrors: answerFrameworkError,
    rewriteUrl: originForm,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: readQuery === undefined ? {} : { querystringParser: readQuery },
    schemaController: noCompilers,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: limits.keepAliveMs,
  }).withTypeProvider<ZodTypeProvider>();
  server.server.maxConnections = limits.connections;
  server.server.on('connect', (_request, socket: Socket) => refuseTunnel(socket, newRequestId()));
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
  answerProblems(server, guide);
  stopGracefully(server, limits.drainMs);
  return server;
}
