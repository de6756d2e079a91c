/**
 * Every error that a client can meet, a row each: the code it can switch on, the status it travels with, and what it
 * means in general. The `detail` of an answer says what it means in particular.
 */
export const problemCodes = {
  'missing-parameter': { status: 400, title: 'A required parameter is missing' },
  'invalid-parameter': { status: 400, title: 'A parameter is malformed, repeated or out of range' },
  'unknown-parameter': { status: 400, title: 'This route has no such parameter' },
  'conflicting-parameters': { status: 400, title: 'Exactly one of these parameters must be given' },
  'webhook-url-refused': { status: 400, title: 'Nothing is sent to this URL' },
  'unexpected-body': {
    status: 400,
    title: 'Parameters travel in the query string; this route takes no body',
  },
  'malformed-request': { status: 400, title: 'The request cannot be read' },
  unauthorized: { status: 401, title: 'The API key is missing or wrong' },
  'key-ended': { status: 401, title: 'The API key was revoked or has expired' },
  'cross-site-request': { status: 403, title: 'A browser request from another site was refused' },
  'insufficient-scope': { status: 403, title: 'The API key is not good for this' },
  'not-owned': { status: 403, title: 'The platform account does not own the game' },
  'not-found': { status: 404, title: 'There is nothing at this path' },
  'player-not-found': { status: 404, title: 'No such player' },
  'farmhand-not-found': { status: 404, title: 'No such farmhand' },
  'operation-not-found': { status: 404, title: 'No such operation' },
  'key-not-found': { status: 404, title: 'No such key' },
  'webhook-not-found': { status: 404, title: 'No such webhook' },
  'method-not-allowed': { status: 405, title: 'This path does not take this method' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time' },
  'farmhand-online': { status: 409, title: 'The farmhand is online' },
  'ambiguous-name': { status: 409, title: 'The name fits several' },
  'key-name-taken': { status: 409, title: 'Another key has this name' },
  'too-many-keys': { status: 409, title: 'There are as many keys as there may be' },
  'keys-need-api-key': { status: 409, title: 'Keys need API_KEY to be set' },
  'webhook-name-taken': { status: 409, title: 'Another webhook has this name' },
  'too-many-webhooks': { status: 409, title: 'There are as many webhooks as there may be' },
  'settings-unreadable': { status: 409, title: 'The settings file cannot be read, and is left as it is' },
  'expectation-failed': { status: 417, title: 'The request expects what this server does not do' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key belongs to another request' },
  'upgrade-required': { status: 426, title: 'This path speaks WebSocket' },
  'too-many-requests': { status: 429, title: 'Too many requests from this address' },
  'request-too-large': { status: 431, title: 'The request line and headers are too large' },
  'internal-error': { status: 500, title: 'The server made a mistake' },
  'ownership-unwritable': {
    status: 500,
    title: 'The ownership map cannot be read or written; nothing was changed',
  },
  'settings-unwritable': { status: 500, title: 'The settings file cannot be written' },
  'not-supported-by-game': { status: 501, title: 'This game cannot do that' },
  'unknown-method': { status: 501, title: 'No path takes this method' },
  'command-failed': { status: 502, title: 'The game tried and failed; nothing was changed' },
  'game-unavailable': { status: 503, title: 'The game cannot take this now' },
  'platform-unavailable': {
    status: 503,
    title: 'There is no platform session, or the platform did not do it',
  },
  'state-unreadable': {
    status: 503,
    title: 'What was kept before cannot be read; nothing was changed',
  },
  'state-unwritable': {
    status: 503,
    title: 'What has to be kept first cannot be written; nothing was changed',
  },
  'too-many-connections': { status: 503, title: 'The server holds as many connections as it may' },
  'shutting-down': { status: 503, title: 'The server is stopping' },
  'command-void': {
    status: 504,
    title: 'The game did not take the command in time; it will never be applied',
  },
  'outcome-unknown': { status: 504, title: 'The game took the command and has not said how it ended' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problemCodes;
