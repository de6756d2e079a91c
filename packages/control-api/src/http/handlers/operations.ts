import type { AnswerOf } from '@steward/shared/api/answers';
import { factsFor } from '@steward/shared/api/answers/operations';
import { type operationEndpoints, operationsListed } from '@steward/shared/api/endpoints/operations';
import { withTwin } from '@steward/shared/exact-id';
import { Problem } from '@steward/shared/problems/problem';
import type { Operation } from '../../game/operations/operation.ts';
import type { Caller } from '../../keys/caller.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function operationHandlers({
  bridge,
}: Pick<HandlerParts, 'bridge'>): Handlers<keyof typeof operationEndpoints> {
  return {
    listOperations({ query: { limit = operationsListed.usual, before }, caller }) {
      const listed = bridge.operations.list(limit, before);
      if (listed === undefined) throw notKnown(`${before}`);
      return { operations: listed.map((each) => shown(each, caller)) };
    },
    getOperation({ path: { id }, caller }) {
      const found = bridge.operations.find(id);
      if (found === undefined) throw notKnown(id);
      return shown(found, caller);
    },
  };
}

function notKnown(id: string): Problem {
  return new Problem('operation-not-found', `There is no operation ${id}, or it is too old`);
}

function shown(
  { id, command, state, createdAt, changedAt, why, step, forGood, outcome }: Operation,
  caller: Caller,
): AnswerOf<'getOperation'> {
  const common = {
    operationId: id,
    command,
    state,
    createdAt,
    changedAt,
    ...(why === undefined ? {} : { why }),
    ...(step === undefined ? {} : { step }),
    ...(forGood === undefined ? {} : { forGood }),
  };
  if (outcome === undefined) return common;
  if (outcome.outcome === 'refused')
    return { ...common, refusal: { code: outcome.code, message: outcome.message } };
  const { subject, before, after } = outcome;
  const named =
    subject === undefined ? {} : { subject: { ...withTwin('id', subject.id), name: subject.name } };
  return {
    ...common,
    ...named,
    before: factsFor(caller.scopes, command, before),
    after: factsFor(caller.scopes, command, after),
  };
}
