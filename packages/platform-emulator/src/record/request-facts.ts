/** Where a request arrives: one word per door of the platform. */
export type RequestKind = 'proxy' | 'web-api' | 'cm' | 'service-method' | 'manifest' | 'chunk';

/** What is known of a request before it is answered; faults match on it and the record keeps it. */
export interface RequestFacts {
  readonly kind: RequestKind;
  /** As the client named it, with its port: `api.steampowered.com`, `127.0.0.1:40123`. */
  readonly host: string;
  /** An HTTP path with its query, a CM message's name (`ClientLogon`), or a service method (`Authentication.PollAuthSessionStatus`). */
  readonly path: string;
  /** The account whose session asks, once there is one. */
  readonly account?: string;
}

/** A member that is absent matches everything; a string matches the whole value, an expression any part of it. */
export interface RequestMatcher {
  readonly kind?: RequestKind;
  readonly host?: string | RegExp;
  readonly path?: string | RegExp;
  readonly account?: string;
}

export function matches(matcher: RequestMatcher, request: RequestFacts): boolean {
  return (
    (matcher.kind === undefined || matcher.kind === request.kind) &&
    fits(matcher.host, request.host) &&
    fits(matcher.path, request.path) &&
    (matcher.account === undefined || matcher.account === request.account)
  );
}

function fits(wanted: string | RegExp | undefined, value: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === value : wanted.test(value);
}
