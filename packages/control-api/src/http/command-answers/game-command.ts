import type { AnswerOf } from '@steward/shared/api/answers';
import { type CommandOf, endpoints, type GameEndpointId, type QueryOf } from '@steward/shared/api/endpoints';
import { type Command, type CommandName, commands } from '@steward/shared/bridge/commands';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { StateParams } from '@steward/shared/bridge/state';
import type { z } from 'zod';
import type { GameBridge } from '../../game/game-bridge.ts';
import { type Applied, appliedOf, type CommandResult } from '../../game/operations/operation.ts';
import type { Handler } from '../endpoints/handler.ts';
import { problemOf, refuseWhereTheirs } from './command-problems.ts';

type ParamsOf<Name extends CommandName> = z.infer<(typeof commands)[Name]['params']>;
type ChangeOf<Name extends CommandName> = z.infer<(typeof commands)[Name]['change']>;

interface Done<Id extends GameEndpointId> {
  readonly query: QueryOf<Id>;
  readonly outcome: AppliedOutcome;
  readonly before: ChangeOf<CommandOf<Id>>;
  readonly after: ChangeOf<CommandOf<Id>>;
}

/** What is told of every command alike. */
type Common = 'success' | 'message' | 'operationId' | 'before' | 'after';

interface GameCommand<Id extends GameEndpointId> {
  /** What the game is told. */
  readonly params: (query: QueryOf<Id>) => ParamsOf<CommandOf<Id>>;
  /** What the answer has beside what every answer to a change has. */
  readonly more: (done: Done<Id>) => Omit<AnswerOf<Id>, Common>;
  /** What was done, for a person. */
  readonly says: (answer: Omit<AnswerOf<Id>, 'success' | 'message'>) => string;
}

/** The handler of an endpoint that is a command to the game; refuses what another server sees to by itself. */
export function gameCommand<const Id extends GameEndpointId>(
  bridge: Pick<GameBridge, 'run' | 'state'>,
  id: Id,
  { params, more, says }: GameCommand<Id>,
): Handler<Id> {
  const name: CommandOf<Id> = endpoints[id].game;
  const { change } = commands[name];
  return async ({ query, idempotencyKey }) => {
    refuseWhereTheirs(bridge.state, name);
    const command = { name, params: params(query) } as Command;
    const { operationId, outcome } = appliedBy(
      await bridge.run(command, { idempotencyKey }),
      bridge.state.sections.players,
    );
    const before = change.parse(outcome.before) as ChangeOf<CommandOf<Id>>;
    const after = change.parse(outcome.after) as ChangeOf<CommandOf<Id>>;
    const members = { operationId, ...more({ query, outcome, before, after }), before, after };
    // The declaration says that this is the answer; no type can follow it through every id at once.
    const answer = members as unknown as Omit<AnswerOf<Id>, 'success' | 'message'>;
    return { success: true, message: says(answer), ...answer } as unknown as AnswerOf<Id>;
  };
}

/** What was done; whatever else became of the command is a problem. */
export function appliedBy(result: CommandResult, players: StateParams['players'] = []): Applied {
  const applied = appliedOf(result);
  if (applied === undefined)
    throw problemOf(
      result,
      players.map(({ name }) => name),
    );
  return applied;
}
