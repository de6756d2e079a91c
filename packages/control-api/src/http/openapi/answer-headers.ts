const requestId = {
  description: "The caller's X-Request-Id, or a new one; stands on the log lines, too",
  schema: { type: 'string' },
};

const entityTag = {
  description: 'Names this very answer; send it as If-None-Match to be told only of another one',
  schema: { type: 'string' },
};

const snapshotAge = {
  description: 'How old that is which the answer shows of the game; absent before it told anything',
  schema: { type: 'integer', minimum: 0 },
};

const retryAfter = {
  description: 'In so many seconds the same request may succeed; absent where nobody can say',
  schema: { type: 'integer', minimum: 1 },
};

/**
 * Of a draft of the IETF (httpapi-ratelimit-headers), as most clients know it. They stand beside every answer to a write that was
 * counted; the document names them where it succeeded and where there were too many.
 */
const allowance = {
  'RateLimit-Limit': {
    description:
      'How many writes one address may send in a minute; absent where this one was refused before it was counted',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    description: 'In so many seconds all of them are there again',
    schema: { type: 'integer', minimum: 1 },
  },
};

const byStatus: Readonly<Record<string, object>> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } } },
  403: {
    'WWW-Authenticate': {
      description: 'Which scope would do, where the key lacks it (RFC 6750)',
      schema: { type: 'string' },
    },
  },
  426: { Upgrade: { description: 'What this path speaks', schema: { type: 'string' } } },
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
  description: 'The ETag of the last answer: where nothing has changed since, 304 without a body',
  schema: { type: 'string' },
} as const;
