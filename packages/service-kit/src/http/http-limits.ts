/** What clients may take. A peer that is slower than this is not a client but an attack or a dead line. */
export const httpLimits = {
  /** From the connection, or the request's first byte, to the end of its headers. */
  headersMs: 10_000,
  /** The same to the last byte of its body. */
  requestMs: 15_000,
  /** Nothing sent and nothing read while a request is under way; longer than the slowest answer takes to come. */
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
