import type { IncomingMessage } from 'node:http';
import { Problem } from '@steward/shared/problems/problem';

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
  if (hosts === 0 && !isOld) return malformed('The request has no Host header: HTTP/1.1 wants one');
  if (headers.host !== undefined && !validHost.test(headers.host))
    return malformed('The Host is no name or address with an optional port');
  if (headers.expect !== undefined && !isOld && !continues.test(headers.expect))
    return new Problem('expectation-failed', 'The one expectation that this server knows is 100-continue');
  return undefined;
}

/** Where no path takes the method, whichever was asked for. */
export function unknownMethod(method: string): Problem {
  const detail = `No path here takes the method ${method}; methods are written in capitals, as in GET`;
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
