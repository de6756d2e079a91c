import type { Kind } from '../kinds.ts';
import { accepted, type Parsed, refused } from '../parsed.ts';

const longest = 200;

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** How many there are of them, and so the longest step. */
  readonly count: number;
  /** From `least` on, in any case. */
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59, count: 60 },
  { name: 'hour', least: 0, most: 23, count: 24 },
  { name: 'day', least: 1, most: 31, count: 31 },
  { name: 'month', least: 1, most: 12, count: 12, names: months },
  // Sunday has two numbers, so that a week may begin or end with it.
  { name: 'weekday', least: 0, most: 7, count: 7, names: weekdays },
];

/** When something is to happen, in the five fields of cron. Whether that ever comes is for who has a calendar to say. */
export const cronText: Kind<string> = {
  allowed:
    'minute, hour, day, month and weekday between single spaces, each *, numbers, or names such as MON and JAN, with commas, ranges such as 1-5 and steps such as */15',
  json: { type: 'string', minLength: 9, maxLength: longest },
  parse(text) {
    if (text.length > longest) return refused('is too long');
    const given = text.split(' ');
    if (given.length !== fields.length)
      return refused(
        `has ${given.length} ${given.length === 1 ? 'field' : 'fields'}, not ${fields.length} between single spaces`,
      );
    for (const [place, field] of fields.entries()) {
      const reason = objectionTo(field, given[place] as string);
      if (reason !== undefined) return refused(reason);
    }
    return accepted(text.toUpperCase());
  },
};

function objectionTo(field: Field, text: string): string | undefined {
  for (const item of text.split(',')) {
    const reason = objectionToItem(field, item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** `*`, a value or a range; the first and the last of them with a step. */
const itemForm = /^(?:\*|([0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?)(?:\/([0-9]{1,2}))?$/i;

function objectionToItem(field: Field, text: string): string | undefined {
  const { name, most, count } = field;
  const found = itemForm.exec(text);
  if (found === null) return `has the ${name} ${JSON.stringify(text)}, which cannot be read`;
  const [, from, to, step] = found;
  const ends = [from, to].filter((end) => end !== undefined);
  const values: number[] = [];
  for (const end of ends) {
    const value = numberOf(field, end);
    if (!value.ok) return value.reason;
    values.push(value.value);
  }
  const [first, last] = values;
  if (first !== undefined && last !== undefined && first > last)
    return `has the ${name} ${text}, a range that ends before it begins`;
  if (step === undefined) return undefined;
  if (from !== undefined && to === undefined)
    return `has the ${name} ${text}: a step follows * or a range, as in ${from}-${most}/${step}`;
  return Number(step) >= 1 && Number(step) <= count
    ? undefined
    : `has the ${name} ${text}, whose step is not from 1 to ${count}`;
}

function numberOf({ name, least, most, names = [] }: Field, text: string): Parsed<number> {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return accepted(least + named);
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return accepted(value);
  const or = names.length === 0 ? '' : `, or ${names[0]?.toUpperCase()} to ${names.at(-1)?.toUpperCase()}`;
  return refused(`has the ${name} ${text}, which is not from ${least} to ${most}${or}`);
}
