import { accepted, type Parsed, refused } from '@steward/shared/parsed';

/** Everything that a query says, in its order: nothing is joined, dropped or guessed before it is checked. */
export type QueryText = Readonly<Record<string, readonly Parsed<string>[]>>;

const nothing: QueryText = Object.freeze({});

export function readQuery(text: string): QueryText {
  if (text === '') return nothing;
  const query: Record<string, Parsed<string>[]> = Object.create(null);
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const written = equals < 0 ? part : part.slice(0, equals);
    const name = decode(written);
    const value = decode(equals < 0 ? '' : part.slice(equals + 1));
    const key = name.ok ? name.value : written;
    // Added in place: a copy for each would make a long query cost its square.
    query[key] ??= [];
    query[key].push(value);
  }
  return query;
}

function decode(text: string): Parsed<string> {
  try {
    return accepted(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch {
    return refused('is not valid percent-encoded UTF-8');
  }
}
