import { uint64Range } from '../ids.ts';
import * as kinds from '../kinds.ts';
import { accepted, allAccepted, type Parsed, refused } from '../parsed.ts';
import { isBlank } from '../text.ts';

/** A value as it stands in a settings file. */
export interface WrittenValue {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'property';
  readonly value: unknown;
  /** The source text: what a number was before JavaScript rounded it. */
  readonly text: string;
  readonly items: readonly WrittenValue[];
}

/** A kind of which a settings file may hold a value, and the wires carry it. */
export interface SettingKind<T> extends kinds.Kind<T> {
  /** Reads what stands in the file. */
  readonly take: (written: WrittenValue) => Parsed<T>;
  /** What a refused value becomes where something nearer than the default is meant. */
  readonly instead?: (written: WrittenValue) => T | undefined;
  readonly wire: WireForm;
}

/** What a value is in a message. */
export type WireForm =
  | { readonly form: 'boolean' | 'number' | 'text' | 'texts' | 'uint64' }
  | { readonly form: 'index or text'; readonly last: number }
  | { readonly form: 'integer'; readonly min: number; readonly max: number }
  | { readonly form: 'choice'; readonly values: readonly string[] };

/** The largest integer that the game can hold. */
export const int32Max = 2_147_483_647;

const longestName = 100;

const id = kinds.digits(uint64Range);

export const flag: SettingKind<boolean> = {
  ...kinds.boolean,
  wire: { form: 'boolean' },
  take: ({ value }) => (typeof value === 'boolean' ? accepted(value) : refused('is not one of them')),
};

export function integer(range: { readonly min: number; readonly max: number }): SettingKind<number> {
  const { min, max } = range;
  return {
    ...kinds.integer(range),
    wire: { form: 'integer', min, max },
    take: ({ value }) =>
      isInteger(value) && value >= min && value <= max ? accepted(value) : refused('is none'),
  };
}

/** An integer that is brought into its range rather than replaced by the default. */
export function clampedInteger(range: { readonly min: number; readonly max: number }): SettingKind<number> {
  return {
    ...integer(range),
    instead: ({ value }) => (isInteger(value) ? Math.min(range.max, Math.max(range.min, value)) : undefined),
  };
}

export function number({ above }: { readonly above: number }): SettingKind<number> {
  const inRange = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && value > above
      ? accepted(value)
      : refused('is none');
  return {
    allowed: `a number above ${above}`,
    json: { type: 'number', exclusiveMinimum: above },
    wire: { form: 'number' },
    parse: (text) => (decimal.test(text) ? inRange(Number(text)) : refused('is none')),
    take: ({ value }) => inRange(value),
  };
}

/** In the file a name in any case, or its place in the list, as the game's own files have it. */
export function choice<const Value extends string>(values: readonly Value[]): SettingKind<Value> {
  return {
    ...kinds.choice(values),
    wire: { form: 'choice', values },
    take: ({ value }) => found(typeof value === 'number' ? values[value] : inAnyCase(values, value)),
  };
}

const nights = ['true', 'false', 'auto'] as const;

/** A switch with a third way, which the file may write as text or not. */
export const flagOrAuto: SettingKind<(typeof nights)[number]> = {
  ...choice(nights),
  allowed: 'true, false or auto',
  take: ({ value }) => found(inAnyCase(nights, value)),
};

/** What people call something. A game may keep it in a folder of that name, so none leads elsewhere. */
export const name: SettingKind<string> = textOf({
  allowed: `text of 1 to ${longestName} characters without /, \\ and control characters`,
  json: { type: 'string', minLength: 1, maxLength: longestName },
  parse(text) {
    if (text.length > longestName) return refused('is too long');
    if (elsewhere.test(text) || dots.test(text)) return refused('could point to another place');
    return isBlank(text) ? refused('has no visible character') : accepted(text);
  },
});

/** What a game may make the name of a file of. */
export const fileName: SettingKind<string> = textOf(
  kinds.form({
    allowed: '1 to 32 ASCII letters, digits, _ and -',
    pattern: /^[A-Za-z0-9_-]{1,32}$/,
    longest: 32,
  }),
);

/** The built-in farms, by their index. */
export const builtInFarms: readonly string[] = [
  'Standard',
  'Riverland',
  'Forest',
  'Hilltop',
  'Wilderness',
  'Four Corners',
  'Beach',
  'Meadowlands',
];

/** An index, the name of a built-in farm in any case and spacing, or the id of a farm that a mod brings. */
export const farmType: SettingKind<number | string> = {
  allowed: `an index from 0 to ${builtInFarms.length - 1}, one of ${builtInFarms.join(', ')}, or the id of a mod's farm, ${name.allowed}`,
  json: { type: ['integer', 'string'] },
  wire: { form: 'index or text', last: builtInFarms.length - 1 },
  parse(written) {
    const text = written.trim();
    if (text === '') return refused('is empty');
    const index = /^-?\d/.test(text)
      ? Number(text)
      : builtInFarms.findIndex((farm) => plain(farm) === plain(text));
    if (Number.isInteger(index) && index >= 0 && index < builtInFarms.length) return accepted(index);
    return /^-?\d+$/.test(text) ? refused('is not the index of a farm') : name.parse(text);
  },
  take({ type, value }) {
    if (type !== 'number' && type !== 'string') return refused('is neither a number nor text');
    const parsed = farmType.parse(String(value));
    return parsed.ok && type === 'number' && typeof parsed.value !== 'number'
      ? refused('is not the index of a farm')
      : parsed;
  },
};

/** A number that fills 64 bits; none means a random one. */
export const seed: SettingKind<string | undefined> = {
  ...id,
  allowed: 'null or an unsigned 64-bit integer',
  wire: { form: 'uint64' },
  take: (written) => (written.type === 'null' ? accepted(undefined) : takeId(written)),
};

/** In the file quoted or not: the source text keeps the digits that a number would lose. */
export const ids: SettingKind<string[]> = {
  allowed: 'a list of ids in decimal digits, separated by commas',
  note: 'Ids separated by commas; `none`, or nothing, empties the list.',
  json: { type: 'string', minLength: 0 },
  wire: { form: 'texts' },
  parse: (text) =>
    text === 'none' || text === '' ? accepted([]) : allAccepted(text.split(',').map(id.parse)),
  take: ({ type, items }) => (type === 'array' ? allAccepted(items.map(takeId)) : refused('is no list')),
};

const decimal = /^[0-9]{1,15}(\.[0-9]{1,15})?$/;
const elsewhere = /[/\\\p{Cc}]/u;
const dots = /^\.+$/;

function textOf(kind: kinds.Kind<string>): SettingKind<string> {
  return {
    ...kind,
    wire: { form: 'text' },
    take: ({ value }) => (typeof value === 'string' ? kind.parse(value) : refused('is no text')),
  };
}

function takeId({ type, value, text }: WrittenValue): Parsed<string> {
  if (type !== 'number' && type !== 'string') return refused('is not an integer');
  return id.parse(type === 'string' ? String(value) : text);
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

function inAnyCase<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((one) => one.toLowerCase() === String(value).toLowerCase());
}

function found<Value>(value: Value | undefined): Parsed<Value> {
  return value === undefined ? refused('is not one of them') : accepted(value);
}

function plain(farm: string): string {
  return farm.replaceAll(' ', '').toLowerCase();
}
