import type { CallToolResult } from '@modelcontextprotocol/server';
import type { StewardError } from '@steward/client';
import type { Plain } from './compact.ts';
import { playerTextName, seenText } from './player-text.ts';

/** The same twice: for programs, and for models whose host shows them text alone. */
export function told(answer: { readonly [name: string]: Plain }): CallToolResult {
  return { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] };
}

export function picture(bytes: Uint8Array): CallToolResult {
  return {
    content: [{ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: 'image/png' }],
  };
}

interface Failure {
  readonly code: string;
  readonly detail: string;
  readonly remedy?: string | undefined;
}

export function failed({ code, detail, remedy }: Failure, more: Record<string, Plain> = {}): CallToolResult {
  return { ...told({ code, detail, ...(remedy === undefined ? {} : { remedy }), ...more }), isError: true };
}

/** Where what went wrong is told in words that name somebody, or that the game chose: they are kept apart. */
const quoting: ReadonlySet<string> = new Set([
  'player-not-found',
  'farmhand-not-found',
  'player-offline',
  'farmhand-online',
  'ambiguous-name',
  'ban-needs-force',
  'ban-not-found',
  'players-online',
  'command-failed',
  'command-void',
  'outcome-unknown',
]);

/** What to do where the words of the error do not say it to an assistant. */
const remedies: Readonly<Record<string, string>> = {
  network:
    'Ask the operator to check that the farm runs, and that STEWARD_URL is the address of its control API',
  timeout: 'Try again in a minute; if this does not change, ask the operator to check the farm',
  'not-steward': 'Ask the operator to correct STEWARD_URL: another server answers there',
  unauthorized: 'Ask the operator to set STEWARD_KEY to a key of this farm, and restart this server',
  'key-ended': 'Ask the operator to create a new key, set STEWARD_KEY to it, and restart this server',
  'insufficient-scope': 'Ask the operator to create a key with this scope, or do without',
  'not-supported-by-game': 'Do without: the game of this farm does not support it',
  'player-not-found': 'Use list_players or list_farmhands to get the ids',
  'farmhand-not-found': 'Use list_farmhands to get the ids',
  'player-offline': 'Use list_players to see who is online',
  'farmhand-online': 'Wait until the player has left, or use kick_player',
  'ban-not-found': 'Use list_bans or list_allowed to get the rows',
  'ban-needs-force': 'Ask the user whether others may be banned as well; if so, set force to true',
  'players-online': 'Wait until nobody plays, or use start_drain',
  'command-failed': 'Use get_status, and ask the user before trying again',
};

interface Failing {
  readonly isDeed: boolean;
  readonly showsPlayerText: boolean;
  /** Says by the names of tools what the API says by its paths. */
  readonly inWords: (text: string) => string;
}

/** A failed call for an assistant: what went wrong, what mends it, and whether something may have been done all the same. */
export function failureOf(error: StewardError, how: Failing): CallToolResult {
  const { isDeed, showsPlayerText, inWords } = how;
  const { code, detail, operationId, retryAfterMs, problem } = error;
  // Where the farm does not say it, it has refused, and that is that.
  const applied = error.applied === null ? null : false;
  const isQuoting = quoting.has(code);
  const own = isQuoting ? (problem?.title ?? 'The game did not do it') : detail;
  const more: Record<string, Plain> = {};
  if (isDeed) more['applied'] = applied;
  if (operationId !== undefined) more['operationId'] = operationId;
  if (retryAfterMs !== undefined) more['retryAfterSeconds'] = Math.ceil(retryAfterMs / 1_000);
  if (isQuoting && showsPlayerText) more[playerTextName] = { detail: seenText(detail) };
  const remedy = isDeed && applied === null ? inDoubt(operationId) : remedies[code];
  return failed({ code, detail: inWords(seenText(own)), remedy }, more);
}

function inDoubt(operationId: string | undefined): string {
  return operationId === undefined
    ? 'It is unknown whether it was done: check the farm before you do it again'
    : 'It is not known yet whether it was done: use get_operation with this operationId before you do it again';
}
