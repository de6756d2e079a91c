import { type Integer64Range, int64Range, parseInteger64 } from './ids.ts';
import { accepted, allAccepted, type Parsed, refused } from './parsed.ts';
import { isBlank } from './text.ts';

/** What somebody may give, and what it means: a variable of a service, a setting, a parameter of the API. */
export interface Row<T> {
  readonly kind: Kind<T>;
  readonly means: string;
}

/** What a value may be. Nothing here needs a library: clients import it, too. */
export interface Kind<T> {
  /** Completes "it must be …" for whoever wrote something else. */
  readonly allowed: string;
  /** Reads the text that environments and queries carry. */
  readonly parse: (text: string) => Parsed<T>;
  /** The same as JSON Schema: what documents, forms and tools say of it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** What else whoever writes it as text should know. */
  readonly note?: string;
}

export const boolean: Kind<boolean> = {
  allowed: 'true or false',
  json: { type: 'boolean' },
  parse: (text) =>
    text === 'true' || text === 'false' ? accepted(text === 'true') : refused('is not one of them'),
};

/** Digits of ASCII alone: no sign but a minus, no exponent, space, hexadecimal or fraction. */
export function integer({ min, max }: { readonly min: number; readonly max: number }): Kind<number> {
  return {
    allowed: `an integer from ${min} to ${max}`,
    json: { type: 'integer', minimum: min, maximum: max },
    parse(text) {
      const parsed = parseInteger64(text, int64Range);
      if (!parsed.ok) return parsed;
      const value = Number(parsed.value);
      return value >= min && value <= max ? accepted(value) : refused('is out of range');
    },
  };
}

export function choice<const Value extends string>(values: readonly Value[]): Kind<Value> {
  return {
    allowed: `one of ${values.join(', ')}`,
    json: { enum: values },
    parse(text) {
      const value = values.find((one) => one === text);
      return value === undefined ? refused('is not one of them') : accepted(value);
    },
  };
}

/** What people call something: text of which something can be seen. */
export function visibleText({ longest }: { readonly longest: number }): Kind<string> {
  return {
    allowed: `text of 1 to ${longest} characters, with a visible one and without control characters`,
    json: { type: 'string', minLength: 1, maxLength: longest },
    parse(text) {
      if (text.length > longest) return refused('is too long');
      if (controlCharacter.test(text)) return refused('has a control character');
      return isBlank(text) ? refused('has no visible character') : accepted(text);
    },
  };
}

/** An id of 64 bits, as its digits. It stays text: a JavaScript number would round it. */
export function digits(range: Integer64Range): Kind<string> {
  const isSigned = range.min < 0n;
  return {
    allowed: `${isSigned ? 'a signed' : 'an unsigned'} 64-bit integer in decimal digits`,
    json: isSigned
      ? { type: ['integer', 'string'], format: 'int64' }
      : { type: 'string', pattern: '^[0-9]{1,20}$' },
    parse(text) {
      const parsed = parseInteger64(text, range);
      return parsed.ok ? accepted(parsed.value.toString()) : parsed;
    },
  };
}

/**
 * A time in UTC, which becomes the text that wires carry: programs write it with `Z` or an offset of zero, and with up to nine
 * decimals, of which three count. No other offset is taken: in a query its `+` is a space.
 */
export const moment: Kind<string> = {
  allowed: 'a time in UTC, such as 2026-11-21T06:30:00Z',
  json: { type: 'string', format: 'date-time' },
  parse(text) {
    if (!utcTime.test(text)) return refused('has a different format');
    const date = new Date(text);
    // A day that its month does not have would be another day.
    const isReal =
      !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, dayCharacters));
    return isReal ? accepted(date.toISOString()) : refused('is not a real date');
  },
};

/** Text of one form, such as a file's name. */
export function form(row: {
  readonly allowed: string;
  readonly pattern: RegExp;
  readonly longest: number;
}): Kind<string> {
  return {
    allowed: row.allowed,
    json: { type: 'string', pattern: row.pattern.source, maxLength: row.longest },
    parse: (text) =>
      text.length <= row.longest && row.pattern.test(text) ? accepted(text) : refused('is not that'),
  };
}

/** Values between commas; spaces around them do not count. */
export function list<T>(row: {
  readonly allowed: string;
  readonly item: (text: string) => Parsed<T>;
}): Kind<readonly T[]> {
  return {
    allowed: row.allowed,
    json: { type: 'string', minLength: 0 },
    parse(text) {
      const items = text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      return allAccepted(items.map(row.item));
    },
  };
}

const controlCharacter = /\p{Cc}/u;
const utcTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-]00:00)$/;
const dayCharacters = 'YYYY-MM-DD'.length;
