/** Of the text in which rows of a list are taken in: it travels in a query. */
export const importedCharacters = 10_000;

/** What stands in a file that somebody brings: rows to be taken in, and lines in which nobody is named. */
export interface ListFile {
  readonly rows: readonly unknown[];
  readonly unread: readonly { readonly line: number; readonly text: string }[];
}

/** What begins a comment in the lists of other servers. */
const comment = /(?:^|\s)(?:#|\/\/).*$|^\s*;.*$/;
/** An id with as many digits as an account has; some write the platform's name before it. */
const identity = /^(?:[a-z]+_)?([0-9]{5,20})$/i;
const between = /[\s,;"']+/;

/**
 * JSON as GET /bans and GET /allowlist give it, a bare array of such rows, or a list with one id or address a line. Undefined for what
 * begins as JSON does and is none: line by line, its other numbers would be taken for whoever has them as an id.
 */
export function readListFile(
  file: string,
  list: string,
  isAddress: (text: string) => boolean,
): ListFile | undefined {
  // Some editors put a mark first, which is no part of what they show.
  const text = file.replace(/^\uFEFF/, '');
  const json = jsonOf(text);
  if (Array.isArray(json)) return { rows: json, unread: [] };
  if (typeof json === 'object' && json !== null) {
    const rows: unknown = Object.entries(json).find(([name]) => name === list)?.[1];
    return { rows: Array.isArray(rows) ? rows : [], unread: [] };
  }
  if (/^\s*[[{]/.test(text)) return undefined;
  const rows: unknown[] = [];
  const unread: { line: number; text: string }[] = [];
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.replace(comment, '').trim();
    if (line === '') continue;
    const row = rowOf(line, isAddress);
    if (row === undefined) unread.push({ line: index + 1, text: line.slice(0, 80) });
    else rows.push(row);
  }
  return { rows, unread };
}

/** Bits of a list that each fit into the query of a request. */
export function inBits(rows: readonly unknown[]): readonly (readonly unknown[])[] {
  const bits: unknown[][] = [];
  let left = 0;
  for (const row of rows) {
    const length = encodeURIComponent(JSON.stringify(row)).length + encodeURIComponent(',').length;
    const last = bits.at(-1);
    if (last === undefined || length > left) {
      bits.push([row]);
      left = importedCharacters - length - encodeURIComponent('[]').length;
    } else {
      last.push(row);
      left -= length;
    }
  }
  return bits;
}

/** False for what is one row alone that no query could hold. */
export function fits(bit: readonly unknown[]): boolean {
  return encodeURIComponent(JSON.stringify(bit)).length <= importedCharacters;
}

/** Other words of the line, such as a name, a date or the word before the id, say nothing that is needed. */
function rowOf(line: string, isAddress: (text: string) => boolean): object | undefined {
  const words = line.split(between);
  const address = words.find((word) => isAddress(word.replace(/\/.*/, '')));
  if (address !== undefined) return { address };
  const ids = words.flatMap((word) => identity.exec(word)?.[1] ?? []);
  const [id] = ids.toSorted((one, other) => other.length - one.length);
  return id === undefined ? undefined : { identity: BigInt(id).toString() };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
