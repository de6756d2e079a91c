import { isBlank } from '@steward/shared/blank';
import { parseInt64 } from '@steward/shared/ids/int64';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { z } from 'zod';

interface ParameterRow<T> {
  /** Completes "it must be …" for whoever sent something else. */
  readonly allowed: string;
  readonly meaning: string;
  readonly parse: (text: string) => Parsed<T>;
  /** Whether nothing is a value, too, and goes to `parse`. */
  readonly mayBeEmpty?: boolean;
  /** What the OpenAPI document says of it. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Where a row names an example: under the usual name it would not reach the document, since these schemas transform. */
export const parameterExample = 'x-example';

/** What an error repeats of a value at most. */
const shownLength = 40;

/** A parameter of a query or a path: text that is parsed once, here, and described by the same row. */
export function parameter<T>({ allowed, meaning, parse, mayBeEmpty = false, json }: ParameterRow<T>) {
  return z
    .string({ error: `is missing: it must be ${allowed}` })
    .transform((text, context): T => {
      const parsed = text === '' && !mayBeEmpty ? refused('is empty') : parse(text);
      if (parsed.ok) return parsed.value;
      const what = text === '' ? parsed.reason : `is ${shown(text)}, which ${parsed.reason}`;
      context.issues.push({ code: 'custom', message: `${what}: it must be ${allowed}`, input: text });
      return z.NEVER;
    })
    .meta({ description: meaning, ...json });
}

/** Digits of ASCII alone: no sign but a minus, no exponent, space, hexadecimal or fraction. */
export function integerParameter({ min, max, ...row }: { min: number; max: number } & Described<number>) {
  return parameter({
    allowed: `an integer from ${min} to ${max}`,
    meaning: row.meaning,
    json: { type: 'integer', minimum: min, maximum: max, [parameterExample]: row.example },
    parse(text) {
      const parsed = parseInt64(text);
      if (!parsed.ok) return parsed;
      const value = Number(parsed.value);
      return value >= min && value <= max ? accepted(value) : refused('is out of range');
    },
  });
}

/** For whoever builds a client by the document alone. */
const sendAsText =
  'Where numbers are doubles, as in JavaScript, send the text of it: a rounded id is another id.';

/** A player's or farmhand's id. It stays text: a JavaScript number would round it. */
export function int64Parameter(row: Described<string>) {
  return parameter({
    allowed: 'a signed 64-bit integer in decimal digits',
    meaning: `${row.meaning} ${sendAsText}`,
    json: { type: ['integer', 'string'], format: 'int64', [parameterExample]: row.example },
    parse(text) {
      const parsed = parseInt64(text);
      return parsed.ok ? accepted(parsed.value.toString()) : parsed;
    },
  });
}

export function booleanParameter(row: { meaning: string }) {
  return parameter({
    allowed: 'true or false',
    meaning: row.meaning,
    json: { type: 'boolean' },
    parse: (text) =>
      text === 'true' || text === 'false' ? accepted(text === 'true') : refused('is neither of them'),
  });
}

export function choiceParameter<const Value extends string>(row: {
  meaning: string;
  values: readonly Value[];
}) {
  return parameter({
    allowed: `one of ${row.values.join(', ')}`,
    meaning: row.meaning,
    json: { enum: row.values },
    parse(text) {
      const value = row.values.find((one) => one === text);
      return value === undefined ? refused('is none of them') : accepted(value);
    },
  });
}

export function textParameter({ longest, ...row }: { longest: number } & Described<string>) {
  return parameter({
    allowed: `text of 1 to ${longest} characters, of which one can be seen and none is a control character`,
    meaning: row.meaning,
    json: { minLength: 1, maxLength: longest, [parameterExample]: row.example },
    parse(text) {
      if (text.length > longest) return refused('is too long');
      if (controlCharacter.test(text)) return refused('has a control character');
      return isBlank(text) ? refused('has nothing to see') : accepted(text);
    },
  });
}

interface Described<Example> {
  readonly meaning: string;
  readonly example: Example;
}

const controlCharacter = /\p{Cc}/u;

function shown(text: string): string {
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}
