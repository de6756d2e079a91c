import { z } from 'zod';
import { parseInt64, parseUint64 } from './integer64.ts';

/** An int64 as the decimal string that wires carry: canonical, so that equal ids are equal strings. */
export const int64Text = z
  .string()
  .regex(/^(0|-?[1-9][0-9]{0,18})$/, 'is not a canonical decimal integer')
  .refine((text) => parseInt64(text).ok, 'is outside the signed 64-bit range')
  .meta({ description: 'A signed 64-bit integer as a decimal string', examples: ['620826087702429092'] });

/** A uint64 as the decimal string that wires carry: canonical, so that equal ids are equal strings. */
export const uint64Text = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/, 'is not a canonical decimal integer')
  .refine((text) => parseUint64(text).ok, 'is outside the unsigned 64-bit range')
  .meta({ description: 'An unsigned 64-bit integer as a decimal string', examples: ['76561198000000001'] });
