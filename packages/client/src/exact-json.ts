/** A text, or a number. A text that does not end is one, too: looked for from each of its quotes, its end would cost the square. */
const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?\d[-+.\deE]*/g;

/** As many digits as no JavaScript number is sure to hold. */
const longest = /\d{16}/;
const integer = /^-?\d{1,20}$/;

/**
 * JSON whose 64-bit ids keep every digit, on any engine: each becomes a bigint by the text that stands beside it, `id` by
 * `idStr`. A long integer without such a twin stays text, and is never rounded.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(longest.test(text) ? text.replace(token, withoutRounding) : text, withBigints);
}

function withoutRounding(written: string): string {
  const rounds = !Number.isSafeInteger(Number(written)) && /^-?\d+$/.test(written);
  return rounds ? `"${written}"` : written;
}

function withBigints(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = value as Record<string, unknown>;
  for (const [name, twin] of Object.entries(members)) {
    if (name.endsWith('Str')) become(members, name.slice(0, -'Str'.length), exact(twin));
    else if (name.endsWith('Strs') && Array.isArray(twin))
      become(members, `${name.slice(0, -'Strs'.length)}s`, allExact(twin));
  }
  return value;
}

function become(members: Record<string, unknown>, name: string, ids: unknown): void {
  if (ids !== undefined && Object.hasOwn(members, name)) members[name] = ids;
}

function allExact(twins: readonly unknown[]): readonly bigint[] | undefined {
  const ids = twins.map(exact).filter((id) => id !== undefined);
  return ids.length === twins.length ? ids : undefined;
}

function exact(twin: unknown): bigint | undefined {
  return typeof twin === 'string' && integer.test(twin) ? BigInt(twin) : undefined;
}
