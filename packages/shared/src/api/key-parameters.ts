import { form, type Kind, moment } from '../kinds.ts';
import { accepted, allAccepted, type Parsed, refused } from '../parsed.ts';
import { type Scope, scopeNames } from '../scopes.ts';
import { isBlank } from '../text.ts';

const hourMs = 60 * 60 * 1_000;
const unitMs = { h: hourMs, d: 24 * hourMs } as const;

export const keyLimits = {
  /** That have not ended. */
  keys: 1_000,
  nameCharacters: 64,
  usualGraceSeconds: 60 * 60,
  longestGraceSeconds: 7 * 24 * 60 * 60,
} as const;

/** What every key begins with, so that people and scanners of sources know one. */
export const keyPrefix = 'stw_';

/** Whoever else does something: in the record no key may be taken for them. */
export const reservedKeyNames: ReadonlySet<string> = new Set([
  'anonymous',
  'command line',
  'control-api',
  'game',
  'nobody',
  'open',
  'owner',
  'schedule',
  'schedules',
  'several',
  'steward',
  'system',
  'webhook',
  'ws',
]);

/** When a key ends: so long after it was made, or at an instant. */
export type KeyExpiry = { readonly afterMs: number } | { readonly at: string };

/** Letters, marks, digits, signs and the space: nothing that hides, or turns the text around it. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

export const keyName: Kind<string> = {
  allowed: `1 to ${keyLimits.nameCharacters} printable characters`,
  json: { type: 'string', minLength: 1, maxLength: keyLimits.nameCharacters },
  parse(text) {
    const name = text.normalize('NFC');
    if ([...name].length > keyLimits.nameCharacters) return refused('is too long');
    if (!printable.test(name)) return refused('has a character that is not printable');
    // Names stand in the record, also where somebody takes the key itself for one.
    if (name.startsWith(keyPrefix)) return refused('looks like a key: a name is not secret');
    return isBlank(name) ? refused('has no visible character') : accepted(name);
  },
};

export const newKeyName: Kind<string> = {
  ...keyName,
  allowed: `${keyName.allowed}, no space at either end, and not a reserved name such as owner`,
  parse(text) {
    const parsed = keyName.parse(text);
    if (!parsed.ok) return parsed;
    const name = parsed.value;
    if (name.trim() !== name) return refused('starts or ends with a space');
    const isOurs = reservedKeyNames.has(name.toLowerCase()) || /^schedule /i.test(name);
    return isOurs ? refused('is a reserved name') : accepted(name);
  },
};

export const keyScopes: Kind<readonly Scope[]> = {
  allowed: `one or more of ${scopeNames.join(', ')}, separated by commas`,
  json: { type: 'string', minLength: 1 },
  parse(text) {
    const parsed = allAccepted(text.split(',').map((item) => scopeOf(item.trim())));
    if (!parsed.ok) return parsed;
    return accepted(scopeNames.filter((scope) => parsed.value.includes(scope)));
  },
};

const span = /^([1-9][0-9]{0,3})([hd])$/;
const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** A day alone is its beginning. Whether it has passed already is for who has a clock to say. */
export const keyExpiry: Kind<KeyExpiry> = {
  allowed: 'a number of days or hours, such as 30d or 12h, a day, such as 2027-01-31, or a time in UTC',
  json: { type: 'string', minLength: 1 },
  parse(text) {
    const [, count, unit] = span.exec(text) ?? [];
    if (unit === 'h' || unit === 'd') return accepted({ afterMs: Number(count) * unitMs[unit] });
    const parsed = moment.parse(day.test(text) ? `${text}T00:00:00Z` : text);
    return parsed.ok ? accepted({ at: parsed.value }) : parsed;
  },
};

export const keyId = form({
  allowed: 'the id of a key, as GET /keys lists it',
  pattern: /^key_[0-9a-f]{12}$/,
  longest: 16,
});

function scopeOf(text: string): Parsed<Scope> {
  const scope = scopeNames.find((one) => one === text);
  return scope === undefined
    ? refused(`names ${JSON.stringify(text)}, which is not a scope`)
    : accepted(scope);
}
