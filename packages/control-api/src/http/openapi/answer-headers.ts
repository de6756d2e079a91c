const requestId = {
  description: "The caller's X-Request-Id, or a new one; also in the log lines",
  schema: { type: 'string' },
};

const entityTag = {
  description: 'Identifies this answer; send it as If-None-Match to get a body only if it has changed',
  schema: { type: 'string' },
};

const snapshotAge = {
  description: 'The age of the game data in the answer; absent before the game sent any',
  schema: { type: 'integer', minimum: 0 },
};

const retryAfter = {
  description: 'After this many seconds the same request may succeed; absent if unknown',
  schema: { type: 'integer', minimum: 1 },
};

/**
 * Of a draft of the IETF (httpapi-ratelimit-headers), as most clients know it. They stand beside every answer to a write that was
 * counted; the document names them where it succeeded and where there were too many.
 */
const allowance = {
  'RateLimit-Limit': {
    description:
      'How many writes one address may send per minute; absent if this request was refused before it was counted',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    description: 'The seconds until the limit resets',
    schema: { type: 'integer', minimum: 1 },
  },
};

const byStatus: Readonly<Record<string, object>> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } } },
  403: {
    'WWW-Authenticate': {
      description: 'The scope that the key lacks (RFC 6750)',
      schema: { type: 'string' },
    },
  },
  426: { Upgrade: { description: 'The protocol of this path', schema: { type: 'string' } } },
  429: { 'Retry-After': retryAfter },
  503: { 'Retry-After': retryAfter },
};

/** Where a WebSocket begins there is no answer to name. */
const unnamed: readonly string[] = ['101', '2XX'];

/**
 * What travels beside an answer with this status; answers that are prepared once a state have a name and an age, those to writes
 * what the caller has left.
 */
export function answerHeaders(
  status: string,
  { isPrepared, isWrite }: { isPrepared: boolean; isWrite: boolean },
): object {
  const prepared = isPrepared && ['200', '304'].includes(status);
  const counted = isWrite && ['200', '202', '429'].includes(status);
  return {
    ...(unnamed.includes(status) ? {} : { 'X-Request-Id': requestId }),
    ...byStatus[status],
    ...(counted ? allowance : {}),
    ...(prepared ? { ETag: entityTag, 'X-Snapshot-Age-Ms': snapshotAge } : {}),
  };
}

/** The header of a request to what is prepared. */
export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the last answer: if nothing has changed since, you get 304 without a body',
  schema: { type: 'string' },
} as const;
