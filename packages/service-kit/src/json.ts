// Node has the JSON source text proposal; the compiler's library does not describe it yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/**
 * JSON in which integers keep every digit. Outwards a bigint is written as a bare integer; inwards an integer that
 * a JavaScript number would round arrives as a bigint.
 */
export function stringifyExact(value: unknown, indent = 0): string {
  const exact = (_key: string, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member;
  return JSON.stringify(value, exact, indent);
}

/** Throws a SyntaxError for what is no JSON, or is nested deeper than can be read. */
export function parseExact(text: string): unknown {
  try {
    return JSON.parse(text, exactInteger);
  } catch (error) {
    // Reading with a function for each value is recursive.
    if (error instanceof RangeError) throw new SyntaxError('the document is nested too deeply');
    throw error;
  }
}

/** Far more than any id has; reading digits into a bigint takes quadratic time, and a body may have a million of them. */
const mostDigits = 100;
const integer = /^-?[0-9]+$/;

function exactInteger(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const { source } = context;
  if (source === undefined || source.length > mostDigits || !integer.test(source)) return value;
  return BigInt(source);
}

/** Of a file that somebody has edited: some editors put a byte order mark first, which is no part of what they show. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Undefined for what is no JSON, so that one schema refuses both that and JSON of another shape. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
