import { Problem, problemContentType } from '@steward/shared/problems/problem';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { stringifyExact } from '../json.ts';
import { promisesMuch } from './bodies.ts';
import { requestIdHeader } from './request-log.ts';

const asJson = 'send it as JSON, with Content-Type: application/json';

interface ProblemAnswering {
  setErrorHandler(
    handler: (error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) => unknown,
  ): unknown;
}

/** Whatever goes wrong leaves as problem details; what nobody foresaw leaves without its text. */
export function answerProblems(server: ProblemAnswering): void {
  server.setErrorHandler((error, request, reply) => sendProblem(problemOf(error, request), request, reply));
}

/** What the framework refuses before any route or hook sees it; of what comes over HTTP, nothing should be left. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header(requestIdHeader, request.id);
  sendProblem(problemOf(error, request), request, reply);
}

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): void {
  if (promisesMuch(request.headers) && !request.raw.complete) reply.header('connection', 'close');
  reply
    .code(problem.status)
    .headers(problem.headers)
    .type(problemContentType)
    .serializer(stringifyExact)
    .send(problem.details(request.id));
}

function problemOf(error: FastifyError | Problem, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error.validation?.[0] !== undefined) {
    if (error.validationContext === 'body' && !request.body)
      return new Problem('missing-parameter', `The request has no body: ${asJson}`);
    const [{ instancePath, message }] = error.validation;
    return new Problem(
      'invalid-parameter',
      `${instancePath.replace(/^\//, '') || 'The request'}: ${message}`,
    );
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem('malformed-request', `The body cannot be read: ${asJson}`);
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Problem('malformed-request', error.message);
  request.log.error({ err: error, requestId: request.id }, 'a request failed');
  return new Problem('internal-error', 'An error in the server; its log says more under this request id');
}
