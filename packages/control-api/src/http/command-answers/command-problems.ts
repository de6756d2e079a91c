import type { RefusedOutcome } from '@steward/shared/bridge/outcome';
import { withTwin } from '@steward/shared/exact-id';
import { Problem, type ProblemExtras } from '@steward/shared/problems/problem';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import { capital } from '@steward/shared/text';
import { gameUnavailable } from '../../game/game-unavailable.ts';
import {
  type CommandResult,
  isLocal,
  type Operation,
  type OperationCommandName,
} from '../../game/operations/operation.ts';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { unwritable } from '../../store/state-problems.ts';

/** What a command that was not applied is answered with; `playing` are the names of those on the farm. */
export function problemOf(result: CommandResult, playing: readonly string[] = []): Problem {
  switch (result.kind) {
    case 'operation':
      return problemOfOperation(result.operation, playing);
    case 'key-reused':
      return new Problem(
        'idempotency-key-reused',
        'This Idempotency-Key was sent with another request before: use a new key for each request',
        { operationId: result.operation.id },
      );
    case 'unsupported':
      return unsupported(result.command);
    case 'key-unreadable':
      return new Problem(
        'state-unreadable',
        `No Idempotency-Key can be accepted: ${result.reason}. Nothing was changed`,
      );
    case 'unavailable':
      return gameUnavailable(
        `${capital(result.reason)}: nothing was changed; try again later`,
        {},
        Math.ceil(result.retryAfterMs / 1_000),
      );
  }
}

export function unsupported(command: OperationCommandName): Problem {
  return new Problem('not-supported-by-game', `The connected game has no ${command}`);
}

/** What another server sees to by itself is refused, and said where it is done. */
export function refuseWhereTheirs({ selfHosted }: BridgeState, command: OperationCommandName): void {
  const where = selfHosted?.instead[command];
  if (where === undefined) return;
  throw new Problem('not-supported-by-game', `Only ${selfHosted?.name} itself can do this: ${where}`);
}

function problemOfOperation(operation: Operation, playing: readonly string[]): Problem {
  const { id, state, outcome, command, why, forGood, notDurable } = operation;
  if (state === 'refused' && outcome?.outcome === 'refused') return refusal(command, id, outcome, playing);
  if (state === 'void' && notDurable)
    return unwritable(`${capital(`${why}`)}: nothing was changed`, { operationId: id });
  if (state === 'void')
    return new Problem(
      'command-void',
      `Nothing was changed, and this request never will change anything: ${why ?? 'the game did not accept it'}`,
      {
        operationId: id,
        applied: false,
      },
    );
  return new Problem(
    'outcome-unknown',
    `It may have been applied: ${why ?? 'the game has not said'}. ${forGood ? 'The outcome will never be known: check whether it was' : `GET /operations/${id} tells when it is known`}`,
    { operationId: id, applied: null },
  );
}

function refusal(
  command: OperationCommandName,
  operationId: string,
  { code, message, matches }: RefusedOutcome,
  playing: readonly string[],
): Problem {
  const extras = { operationId };
  switch (code) {
    case 'not-ready':
    case 'saving':
    case 'busy':
      return gameUnavailable(message, extras);
    case 'ambiguous':
      return ambiguous(message, matches ?? [], extras);
    case 'not-found':
      return notFound(command, withWords(message, 'not found'), extras);
    case 'failed':
      return new Problem(isLocal(command) ? 'ownership-unwritable' : 'command-failed', message, extras);
    case 'online':
      return new Problem('farmhand-online', withWords(message, 'online'), extras);
    case 'players-online':
      return new Problem('players-online', playersOnline(message, playing), extras);
    default:
      return new Problem(refusalProblems[code], message, extras);
  }
}

/** A game has words of its own; existing clients look for these in them. */
function withWords(message: string, words: string): string {
  return message.toLowerCase().includes(words) ? message : `${message} (${words})`;
}

/** Who plays, where the game's own words do not tell; and what to do. */
function playersOnline(message: string, playing: readonly string[]): string {
  const untold = playing.filter((name) => name !== '' && !message.includes(name));
  const who = untold.length === 0 ? '' : ` (${untold.join(', ')})`;
  return `${message}${who}: the game saves when the day ends. Wait for that, or until nobody plays`;
}

const refusalProblems = {
  'out-of-range': 'invalid-parameter',
  unsupported: 'not-supported-by-game',
  offline: 'player-offline',
} as const satisfies Record<string, ProblemCode>;

/** Not every game says where there is a list of those that there are. Those who are away can be made admin, too. */
function notFound(command: OperationCommandName, message: string, extras: ProblemExtras): Problem {
  const isOfPlayer = command === 'grantAdmin' || command === 'kick';
  const code = isOfPlayer ? 'player-not-found' : 'farmhand-not-found';
  const path = command === 'kick' ? 'GET /players' : 'GET /farmhands';
  const detail = message.includes(path) ? message : `${message}: ${path} lists all of them`;
  return new Problem(code, detail, extras);
}

export function ambiguous(
  message: string,
  matches: readonly { id: string; name: string }[],
  extras: ProblemExtras = {},
): Problem {
  const listed = matches.map(({ id, name }) => ({ ...withTwin('id', id), name }));
  return new Problem('ambiguous-name', message, { ...extras, matches: listed });
}
