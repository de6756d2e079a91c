import { farmChanged } from '@steward/shared/api/answers/farms';
import type { farmEndpoints } from '@steward/shared/api/endpoints/farms';
import type { CommandResult } from '../../game/operations/operation.ts';
import { appliedBy } from '../commands/game-command.ts';
import { underWay } from '../commands/under-way.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function farmsHandlers({ farms }: Pick<HandlerParts, 'farms'>): Handlers<keyof typeof farmEndpoints> {
  return {
    listFarms: async () => ({ farms: [...(await farms.list())] }),
    async createFarm({ query, idempotencyKey }, reply) {
      const { when, minutes, seconds, message, force, ...named } = query;
      const before = given({ when, minutes, seconds, message, force });
      const result = await farms.create(given(named), before, idempotencyKey);
      return underWay<'createFarm'>(result, reply, 'A farm is made') ?? done(result, 'A new farm is played');
    },
    async loadFarm({ query: { id, ...before }, idempotencyKey }, reply) {
      const result = await farms.open(id, before, idempotencyKey);
      return (
        underWay<'loadFarm'>(result, reply, 'The other farm is loaded') ??
        done(result, 'Another farm is played')
      );
    },
  };
}

type Given<Values> = { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** What is not undefined. */
function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<Values>;
}

function done(result: CommandResult, says: string) {
  const { operationId, outcome } = appliedBy(result);
  const facts = farmChanged.parse(outcome.after);
  return { success: true as const, message: `${says}: ${facts.farmName}`, operationId, ...facts };
}
