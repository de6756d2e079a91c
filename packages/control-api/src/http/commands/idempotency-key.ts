import { accepted, refused } from '@steward/shared/parsed';
import { z } from 'zod';
import { parameter, parameterExample } from '../parameters/parameter.ts';

const longestKey = 255;
const printable = /^[\x21-\x7e]+$/;

const name = 'idempotency-key';

/** The header under which a request may be sent again and is carried out once. */
export const idempotencyHeader = z.object({
  [name]: parameter({
    allowed: `1 to ${longestKey} visible ASCII characters`,
    meaning:
      'Makes a retry safe: the same key with the same request gets the first answer, for 24 hours or 1,000 keys; with another request it is 422',
    json: { maxLength: longestKey, [parameterExample]: '8e03978e-40d5-43e8-bc93-6894a57f9324' },
    parse: (text) =>
      text.length <= longestKey && printable.test(text) ? accepted(text) : refused('is not that'),
  }).optional(),
});

export function idempotencyKey(headers: { readonly [name]?: string | undefined }): string | undefined {
  return headers[name];
}
