const integer = /^\s*([+-]?[0-9]+)\s*$/;

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const int32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };

/** As its runtime parses: a sign and spaces around are fine. */
export function readInt64(text: string | undefined): bigint | undefined {
  return within(text, int64);
}

export function readInt32(text: string | undefined): number | undefined {
  const value = within(text, int32);
  return value === undefined ? undefined : Number(value);
}

function within(text: string | undefined, { min, max }: { min: bigint; max: bigint }): bigint | undefined {
  const [, digits] = integer.exec(text ?? '') ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(digits.replace('+', ''));
  return value >= min && value <= max ? value : undefined;
}
