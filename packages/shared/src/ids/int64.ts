import { z } from 'zod';
import type { Parsed } from '../parsed.ts';
import { int64Range, parseInteger64 } from './integer64.ts';

export function parseInt64(text: string): Parsed<bigint> {
  return parseInteger64(text, int64Range);
}

/** An int64 as the decimal string that wires carry: canonical, so that equal ids are equal strings. */
export const int64Text = z
  .string()
  .regex(/^(0|-?[1-9][0-9]{0,18})$/, 'is not a canonical decimal integer')
  .refine((text) => parseInt64(text).ok, 'is outside the signed 64-bit range')
  .meta({ description: 'A signed 64-bit integer as a decimal string', examples: ['620826087702429092'] });
