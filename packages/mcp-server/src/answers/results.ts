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
    'Have the operator look whether the farm runs, and whether STEWARD_URL is where its control API is',
  timeout: 'Try again in a minute; if it stays so, have the operator look at the farm',
  'not-steward': 'Have the operator correct STEWARD_URL: something else answers there',
  unauthorized: 'Have the operator put a key of this farm into STEWARD_KEY, and start this server again',
  'key-ended': 'Have the operator make a new key, put it into STEWARD_KEY, and start this server again',
  'insufficient-scope': 'Have the operator make a key with this scope, or do without',
  'not-supported-by-game': 'Do without: the game of this farm has no such thing',
  'player-not-found': 'Look at list_players or list_farmhands for the ids that there are',
  'farmhand-not-found': 'Look at list_farmhands for the ids that there are',
  'player-offline': 'Look at list_players for who is there',
  'farmhand-online': 'Wait until the player has left, or use kick_player',
  'ban-not-found': 'Look at list_bans or list_allowed for the rows that there are',
  'ban-needs-force': 'Ask the user whether others may be kept out as well; if so, give force as true',
  'players-online': 'Wait until nobody plays, or use start_drain',
  'command-failed': 'Look at get_status, and ask the user before trying again',
};

interface Failing {
  readonly isDeed: boolean;
  /** Whether the farm was asked for it at all. */
  readonly isSent: boolean;
  readonly showsPlayerText: boolean;
  /** Says by the names of tools what the API says by its paths. */
  readonly inWords: (text: string) => string;
}

/** A failed call for an assistant: what went wrong, what mends it, and whether something may have been done all the same. */
export function failureOf(error: StewardError, how: Failing): CallToolResult {
  const { isDeed, isSent, showsPlayerText, inWords } = how;
  const { code, detail, operationId, retryAfterMs, problem } = error;
  const applied = isSent ? wasApplied(error) : false;
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

/** Where the farm does not say it, it has refused, and that is that; but for a mistake of its own, which may come at any point. */
function wasApplied({ applied, code, problem }: StewardError): false | null {
  if (applied !== undefined) return applied;
  return problem === undefined || code === 'internal-error' ? null : false;
}

function inDoubt(operationId: string | undefined): string {
  return operationId === undefined
    ? 'Nobody knows whether it was done: look how the farm is before you do it again'
    : 'Nobody knows yet whether it was done: ask get_operation with this operationId before you do it again';
}
