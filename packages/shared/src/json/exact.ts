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

export function parseExact(text: string): unknown {
  return JSON.parse(text, exactInteger);
}

const integer = /^-?[0-9]+$/;

function exactInteger(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const { source } = context;
  return source !== undefined && integer.test(source) ? BigInt(source) : value;
}
