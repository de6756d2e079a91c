import type { Socket } from 'node:net';
import { Problem, problemContentType } from '@steward/shared/problems/problem';
import { STATUS_CODES } from './node-http.ts';
import { unknownMethod } from './strange-requests.ts';

/** A request line, as far as it can be told from anything else that is sent to a port. */
const requestLine = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/;

/** A method is a word; what is longer is shown cut. */
const longestMethod = 20;

interface UnreadableError extends Error {
  readonly code?: string;
  /** A Buffer, whatever the types say. */
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

type Answered = Pick<Socket, 'writable' | 'end' | 'destroy'>;

/**
 * Answers what cannot be read as HTTP, or does not arrive in time, and closes the connection: what would follow on it
 * is not to be trusted.
 */
export function answerUnreadable(error: UnreadableError, socket: Answered, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answer(problemOf(error), socket, requestId);
}

/** A tunnel is the one request that the framework never sees; and of its connection nobody takes care any more. */
export function refuseTunnel(socket: Socket, requestId: string): void {
  socket.on('error', () => socket.destroy()).once('finish', () => socket.destroy());
  answer(unknownMethod('CONNECT'), socket, requestId);
}

function answer(problem: Problem, socket: Answered, requestId: string): void {
  const body = JSON.stringify(problem.details(requestId));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `content-type: ${problemContentType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function problemOf({ code, rawPacket, bytesParsed = 0 }: UnreadableError): Problem {
  if (code === 'HPE_INVALID_METHOD') {
    // What came before it in the same packet was a request of its own.
    const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
    const [, method] = requestLine.exec(text.slice(text.lastIndexOf('\n', bytesParsed) + 1)) ?? [];
    if (method !== undefined) return unknownMethod(method.slice(0, longestMethod));
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'request-too-large',
      'The request line and the headers together are limited to 16 KiB',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request-timeout', 'The request did not arrive completely in time');
  return new Problem('malformed-request', 'This is not a request that HTTP/1.1 allows');
}
