import { z } from 'zod';
import { wrongForm } from './discord-error.ts';

/** How many characters Discord counts: an emoji outside the first plane is one. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** Text of a length, with the words that Discord has for another. */
export function text({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  return z.string().superRefine((value, context) => {
    const length = lengthOf(value);
    if (length === 0 && min > 0) objectTo(context, 'BASE_TYPE_REQUIRED', 'This field is required');
    else if (min > 0 && (length < min || length > max))
      objectTo(context, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
    else if (length > max) objectTo(context, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
  });
}

/** A list of at most so many. */
export function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z.array(item).superRefine((items, context) => {
    if (items.length > max) objectTo(context, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
  });
}

export const snowflake = z.string().superRefine((value, context) => {
  if (!/^\d{17,19}$/.test(value))
    objectTo(context, 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
});

/** An objection to what a schema looks at, under a code of Discord's. */
export function objectTo(
  context: z.RefinementCtx,
  code: string,
  message: string,
  path: readonly (string | number)[] = [],
): void {
  context.addIssue({ code: 'custom', message, path: [...path], params: { code } });
}

/** What a body says, or Discord's objections to it. What it does not know it passes over, as Discord does. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  throw wrongForm(result.error.issues.map((issue) => ({ path: issue.path, ...objectionOf(issue) })));
}

function objectionOf(issue: z.core.$ZodIssue): { code: string; message: string } {
  const { code, message } = issue;
  if (code === 'custom') return { code: String(issue.params?.['code']), message };
  if (code === 'invalid_value')
    return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${issue.values.join(', ')}}.` };
  if (code === 'invalid_type' && issue.input === undefined)
    return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  return { code: 'BASE_TYPE_INVALID', message };
}
