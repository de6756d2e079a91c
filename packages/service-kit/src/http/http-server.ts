import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../log/logger.ts';
import { answerProblems } from './problem-answers.ts';
import { logRequests } from './request-log.ts';

/** What a client may take. A peer that is slower than this is not a client but an attack or a dead line. */
const timeouts = {
  /** From the connection to the last byte of the request. */
  requestTimeout: 15_000,
  /** Silence on a connection while a request is under way. */
  connectionTimeout: 30_000,
  /** Silence between requests. */
  keepAliveTimeout: 10_000,
} as const;

const requestIdShape = /^[A-Za-z0-9._:-]{1,128}$/;

export type HttpServer = ReturnType<typeof createHttpServer>;

/** The server that both services build on: timeouts, request ids, problem answers, one log line a request. */
export function createHttpServer(logger: Logger) {
  const server = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    http: { headersTimeout: timeouts.requestTimeout },
    return503OnClosing: true,
    ...timeouts,
  }).withTypeProvider<ZodTypeProvider>();
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  logRequests(server);
  answerProblems(server);
  return server;
}

/** The caller's own id when it is fit to stand in a log line, else a new one. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && requestIdShape.test(given) ? given : randomUUID();
}
