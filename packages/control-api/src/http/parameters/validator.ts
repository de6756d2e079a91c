import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { checkQuery, checkValues } from './check.ts';

/** Makes the check of each part of a request that a route has a schema for. */
export const compileParameters: typeof validatorCompiler = (route) => {
  const { schema, httpPart, method } = route;
  if (!(schema instanceof z.ZodObject)) return validatorCompiler(route);
  if (httpPart === 'params') return (given) => checkValues(schema, given);
  if (httpPart === 'headers') return (given) => checkValues(schema, given);
  return checkQuery(schema, { refuseUnknown: changesSomething(method) });
};

export function changesSomething(method: string | undefined): boolean {
  return method === 'POST' || method === 'DELETE';
}
