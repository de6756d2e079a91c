import type { Socket } from 'node:net';
import { Problem, problemContentType } from '@steward/shared/problems/problem';
import { STATUS_CODES } from './node-http.ts';

/**
 * Answers what cannot be read as HTTP, or does not arrive in time, and closes the connection: what would follow on it
 * is not to be trusted.
 */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Pick<Socket, 'writable' | 'end' | 'destroy'>,
  requestId: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
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

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'request-too-large',
      'The request line and the headers together are limited to 16 KiB',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request-timeout', 'The request did not arrive completely in time');
  return new Problem('malformed-request', 'This is not a request that HTTP/1.1 allows');
}
