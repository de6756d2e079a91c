import type { StewardOptions } from './options.ts';

/** Where calls go, and what each carries. */
export interface Target {
  readonly base: string;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** What names a deed may be: what a header can carry. */
const visible = /^[!-~]+$/;
/** What `API_KEY` may be: the same, with spaces in it, and none that was copied along. */
const keyText = /^[!-~](?:[ -~]*[!-~])?$/;
const longestIdempotencyKey = 255;

/** Throws a TypeError for what leads nowhere; the key stands in none. */
export function targetOf({ url, key }: StewardOptions): Target {
  const { origin, protocol, pathname, username, password, search, hash } = read(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError('steward: url must be http or https');
  if (username !== '' || password !== '')
    throw new TypeError('steward: url has a user or a password; the key of the API goes into `key`');
  if (search !== '' || hash !== '')
    throw new TypeError('steward: url must end with its path, without ? and #');
  if (key !== undefined && (typeof key !== 'string' || !keyText.test(key)))
    throw new TypeError(
      'steward: key is empty, or has a space around it, a line break or another character that no key has',
    );
  return {
    base: `${origin}${pathname.replace(/\/+$/, '')}`,
    key,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  };
}

function read(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new TypeError('steward: url must be complete, such as http://127.0.0.1:8080');
  }
}

/** The path and the query; throws a TypeError for a value that would become another one on its way. */
export function pathAndQuery(template: string, parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  const rest = new Map(Object.entries(parameters).map(([name, value]) => [name, textOf(name, value)]));
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    // A path of dots would be another path, and nothing no path at all.
    if (value === undefined || /^\.{0,2}$/.test(value)) throw new TypeError(`steward: ${name} is missing`);
    return encodeURIComponent(value);
  });
  for (const [name, value] of rest) if (value !== undefined) query.set(name, value);
  const asked = query.toString();
  return asked === '' ? path : `${path}?${asked}`;
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value !== 'number')
    throw new TypeError(`steward: ${name} must be text, a number, a bigint or a Date`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(`steward: ${name} was rounded, as all numbers of this length: use a bigint or text`);
  if (!Number.isFinite(value)) throw new TypeError(`steward: ${name} is ${value}`);
  return String(value);
}

/** What names one deed. Not `randomUUID`: pages that came over plain HTTP have none. */
export function idempotencyKeyOf(given: string | undefined): string {
  if (given === undefined)
    return [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  if (given.length > longestIdempotencyKey || !visible.test(given))
    throw new TypeError(
      `steward: idempotencyKey must be 1 to ${longestIdempotencyKey} visible ASCII characters`,
    );
  return given;
}
