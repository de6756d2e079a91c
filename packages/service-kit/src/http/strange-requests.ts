import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, problemContentType } from '@steward/shared/problems/problem';
import { STATUS_CODES } from './node-http.ts';

const absoluteTarget = /^https?:\/\/([^/?#]*)(.*)$/i;

/** A name or an IPv4 address, or an IPv6 address in brackets, and a port; an empty host is allowed, too. */
const validHost = /^(?:[\w.~!$&'()*+;=%-]*|\[[\w.:%~-]+\])(?::\d*)?$/;

const continues = /^100-continue$/i;

/**
 * The path and query of a request whose target is a whole address, as proxies are sent it, so that whatever goes by the
 * path sees the path. The host there counts, by the standard, and not the header.
 */
export function originForm({ url = '', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, host, rest = ''] = absoluteTarget.exec(url) ?? [];
  if (host === undefined) return url;
  headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Where the framework takes a path to end. */
const endOfPath = /[?#]/;

/**
 * The target, with a path that can be decoded: the framework would answer any other by itself, before the guards, and
 * without a line in the log. In such a path each percent sign stands for itself, as '/%25zz' for '/%zz'.
 */
export function decodable(url: string): string {
  if (!url.includes('%')) return url;
  const end = url.search(endOfPath);
  const path = end < 0 ? url : url.slice(0, end);
  return isDecodable(path) ? url : `${path.replaceAll('%', '%25')}${url.slice(path.length)}`;
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

/** What the standard has a server refuse, and Node lets through or refuses without a word. */
export function whyStrange({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): Problem | undefined {
  const isOld = httpVersion === '1.0';
  if (!isOld && httpVersion !== '1.1') return malformed('This server speaks HTTP/1.1');
  const hosts = timesOfHost(rawHeaders);
  if (hosts > 1) return malformed(`The request has ${hosts} Host headers: send one`);
  if (hosts === 0 && !isOld) return malformed('The request has no Host header: HTTP/1.1 requires one');
  if (headers.host !== undefined && !validHost.test(headers.host))
    return malformed('The Host is not a name or address with an optional port');
  if (headers.expect !== undefined && !isOld && !continues.test(headers.expect))
    return new Problem(
      'expectation-failed',
      'The only expectation that this server supports is 100-continue',
    );
  return undefined;
}

/** Where no path takes the method, whichever was asked for. */
export function unknownMethod(method: string): Problem {
  const detail = `No path here accepts the method ${method}; methods are written in capitals, as in GET`;
  return new Problem('unknown-method', detail);
}

function malformed(detail: string): Problem {
  return new Problem('malformed-request', detail);
}

function timesOfHost(rawHeaders: readonly string[]): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') times += 1;
  }
  return times;
}

/** A request line, as far as it can be told from anything else that is sent to a port. */
const requestLine = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/;

/** A method is a word; what is longer is shown cut. */
const longestMethod = 20;
const lastAscii = 0x7e;

interface UnreadableError extends Error {
  readonly code?: string;
  /** A Buffer, whatever the types say. */
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

type Answered = Pick<Socket, 'writable' | 'end' | 'destroy'>;

/**
 * Answers what cannot be read as HTTP, or does not arrive in time, and closes the connection: what would follow on it
 * is not to be trusted. Returns the status, or undefined where nobody is there to be answered.
 */
export function answerUnreadable(
  error: UnreadableError,
  socket: Answered,
  requestId: string,
): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  return answer(problemOf(error), socket, requestId);
}

/** A tunnel is the one request that the framework never sees; and of its connection nobody takes care any more. */
export function refuseTunnel(socket: Socket, requestId: string): number {
  socket.on('error', () => socket.destroy()).once('finish', () => socket.destroy());
  return answer(unknownMethod('CONNECT'), socket, requestId);
}

function answer(problem: Problem, socket: Answered, requestId: string): number {
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
  return problem.status;
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
  if (code === 'HPE_INVALID_URL' && Buffer.isBuffer(rawPacket) && rawPacket.some((byte) => byte > lastAscii))
    return new Problem(
      'malformed-request',
      'The address has a character that must be percent-encoded, such as %C3%BC for ü: with curl, use -G --data-urlencode "name=value"',
    );
  return new Problem('malformed-request', 'This is not a request that HTTP/1.1 allows');
}
