import { accepted, refused } from '../parsed.ts';
import { optional } from './endpoint.ts';

const longest = 255;
const printable = /^[\x21-\x7e]+$/;

/** The header under which a write may be sent again and is carried out once. */
export const idempotencyHeader = {
  'idempotency-key': optional(
    {
      allowed: `1 to ${longest} visible ASCII characters`,
      json: { type: 'string', maxLength: longest },
      parse: (text) =>
        text.length <= longest && printable.test(text) ? accepted(text) : refused('is not that'),
    },
    {
      means:
        'Makes a retry safe: the same key with the same request gets the first answer, for 24 hours or 1,000 keys; with another request you get 422',
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    },
  ),
};
