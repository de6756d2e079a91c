import { z } from 'zod';
import type { Parsed } from '../parsed.ts';
import { parseInteger64, uint64Range } from './integer64.ts';

export function parseUint64(text: string): Parsed<bigint> {
  return parseInteger64(text, uint64Range);
}

/** A uint64 as the decimal string that wires carry: canonical, so that equal ids are equal strings. */
export const uint64Text = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/, 'is not a canonical decimal integer')
  .refine((text) => parseUint64(text).ok, 'is outside the unsigned 64-bit range')
  .meta({ description: 'An unsigned 64-bit integer as a decimal string', examples: ['76561198000000001'] });
