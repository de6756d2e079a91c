import type { farmsEndpoints } from '@steward/shared/api/endpoints/farms';
import { begun } from '../command-answers/under-way.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function farmsHandlers({ farms }: Pick<HandlerParts, 'farms'>): Handlers<keyof typeof farmsEndpoints> {
  return {
    listFarms: async () => ({ farms: [...(await farms.list())] }),
    async createFarm({ query, idempotencyKey }, reply) {
      const { when, minutes, seconds, message, force, ...named } = query;
      const before = given({ when, minutes, seconds, message, force });
      const result = await farms.create(given(named), before, idempotencyKey);
      return begun(result, reply, 'A new farm is being created');
    },
    async loadFarm({ query: { id, ...before }, idempotencyKey }, reply) {
      const result = await farms.open(id, before, idempotencyKey);
      return begun(result, reply, 'The other farm is being loaded');
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
