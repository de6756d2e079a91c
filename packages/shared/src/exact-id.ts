import { z } from 'zod';
import { int64Text } from './wire-values.ts';

const example = '620826087702429092';

/** A 64-bit id as the exact JSON integer. Beside it stands the same id as text, for parsers that round. */
export const exactId = z.bigint().meta({
  type: 'integer',
  format: 'int64',
  description: 'Exact; if your parser reads it as a double, it rounds it: use the member ending in Str',
  examples: [example],
});

export const exactIdText = int64Text.meta({
  description: 'The same id in decimal digits',
  examples: [example],
});

/** `id` and `idStr`, under whatever name the id has. */
export function withTwin<const Name extends string>(
  name: Name,
  digits: string,
): { [Key in Name]: bigint } & { [Key in `${Name}Str`]: string } {
  return { [name]: BigInt(digits), [`${name}Str`]: digits } as { [Key in Name]: bigint } & {
    [Key in `${Name}Str`]: string;
  };
}
