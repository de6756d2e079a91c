import { boolean, integer, type Kind, list } from '@steward/shared/kinds';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { Secret } from '../secret.ts';
import type { VariableKind } from './variable.ts';

const largestPort = 65_535;

/** Operators write it in any case. */
export const flag: Kind<boolean> = { ...boolean, parse: (text) => boolean.parse(text.toLowerCase()) };

/** Port 0 asks the system for a free one, which the log then names. */
export const port = integer({ min: 0, max: largestPort });

export const url = kind({
  allowed: 'an http or https URL',
  parse: (text) =>
    /^\s*https?:\/\//i.test(text) && URL.canParse(text) ? accepted(new URL(text)) : refused('is none'),
});

/** Where paths are put behind it: what else a URL may have would be lost. */
export const baseUrl: Kind<URL> = {
  ...url,
  allowed: 'an http or https URL without a user, a password, ? and #',
  parse: (text) => {
    const read = url.parse(text);
    if (!read.ok) return read;
    const { username, password, search, hash } = read.value;
    return [username, password, search, hash].every((part) => part === '') ? read : refused('has more');
  },
};

export function text(allowed: string): Kind<string> {
  return kind({ allowed, parse: accepted });
}

export function secretText(allowed: string): VariableKind<Secret> {
  return { ...kind({ allowed, parse: (value) => accepted(new Secret(value)) }), secret: true };
}

/**
 * A secret that is sent as a header: nothing else comes through one unchanged, and what does not fit would be quoted by
 * whoever refuses to send it.
 */
export function headerSecret(allowed: string): VariableKind<Secret> {
  const any = secretText(allowed);
  return {
    ...any,
    parse: (value) => (/^[!-~]([ -~]*[!-~])?$/.test(value) ? any.parse(value) : refused('is no header')),
  };
}

/** Items between commas. `read` gives an item's value, or undefined for a bad one. */
export function items<Item>(row: {
  readonly allowed: string;
  readonly read: (item: string) => Item | undefined;
}): Kind<readonly Item[]> {
  return list({
    allowed: row.allowed,
    item(text) {
      const item = row.read(text);
      return item === undefined ? refused('is not that') : accepted(item);
    },
  });
}

/** Text of which a service makes something of its own. */
export function kind<T>(row: {
  readonly allowed: string;
  readonly parse: (text: string) => Parsed<T>;
}): Kind<T> {
  return { ...row, json: { type: 'string' } };
}
