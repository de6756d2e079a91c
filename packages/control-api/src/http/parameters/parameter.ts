import type { Parameter, Parameters } from '@steward/shared/api/endpoint';
import { z } from 'zod';

/** Where a declaration names an example: under the usual name it would not reach the document, since these schemas transform. */
export const parameterExample = 'x-example';

/** What an error repeats of a value at most. */
const shownLength = 40;

/** The schema of what is declared to be in a query, a path or the headers; two of them may be a choice. */
export function parametersSchema(
  declared: Parameters,
  exactlyOneOf?: readonly [string, string],
): z.ZodObject<Record<string, z.ZodType>> {
  const each = Object.entries(declared).map(([name, one]) => [name, parameterSchema(one)]);
  const schema = z.object<Record<string, z.ZodType>>(Object.fromEntries(each));
  return exactlyOneOf === undefined ? schema : schema.check(exactlyOne(exactlyOneOf));
}

/** Text that is parsed once, here, and described by the same declaration. */
function parameterSchema({ kind, isRequired, means, example }: Parameter): z.ZodType {
  const { allowed, json, parse } = kind;
  const schema = z
    .string({ error: `is missing: it must be ${allowed}` })
    .transform((text, context) => {
      const parsed = parse(text);
      if (parsed.ok) return parsed.value;
      const what = text === '' ? 'is empty' : `is ${shown(text)}, which ${parsed.reason}`;
      context.issues.push({ code: 'custom', message: `${what}: it must be ${allowed}`, input: text });
      return z.NEVER;
    })
    .meta({ description: means, ...json, ...(example === undefined ? {} : { [parameterExample]: example }) });
  return isRequired ? schema : schema.optional();
}

/** The rule that both together, or neither, is an error. */
function exactlyOne([one, other]: readonly [string, string]) {
  return (given: z.core.ParsePayload<Readonly<Record<string, unknown>>>): void => {
    const isThere = [one, other].map((name) => given.value[name] !== undefined);
    if (isThere[0] !== isThere[1]) return;
    const found = isThere[0] ? 'both are there' : 'neither is there';
    const message = `exactly one of ${one} and ${other} must be given; ${found}`;
    given.issues.push({ code: 'custom', message, input: given.value });
  };
}

function shown(text: string): string {
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}
