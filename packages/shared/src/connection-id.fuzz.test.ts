import { damaged } from '@steward/testing/hostile/bytes';
import { anyText } from '@steward/testing/hostile/text';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identityOf, parseConnectionId, printConnectionId } from './connection-id.ts';

const account = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 66n }).map(String),
  fc.constantFrom('0', '00', '', '-0', '9007199254740993', '18446744073709551615', '9'.repeat(5_000), '١'),
);
const near = fc
  .tuple(
    fc.constantFrom('SN_', 'GN_', 'L_', 'sn_', 'SN_SN_', ' SN_'),
    account,
    fc.constantFrom('', '_0', '_4294967295', '_4294967296', '_'),
  )
  .map((parts) => parts.join(''));
const text = fc.oneof(
  near,
  damaged(near.map((id) => Buffer.from(id))).map((bytes) => bytes.toString('utf8')),
  anyText(),
);

it('a hostile connection id has one canonical form with every digit of its account, or is refused', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(text, (given) => {
      const parsed = withstand(() => parseConnectionId(given));
      if (!parsed.ok) {
        expect(parsed.reason).not.toBe('');
        return;
      }
      const canonical = printConnectionId(parsed.value);
      expect(parseConnectionId(canonical)).toEqual(parsed);
      const identity = identityOf(parsed.value);
      if (identity === undefined) {
        expect(given.startsWith('L_')).toBe(true);
        return;
      }
      const [, digits = ''] = /^[SG]N_0*([0-9]*)/.exec(given) ?? [];
      expect(identity.id).toBe(BigInt(digits));
    }),
    { numRuns: count({ small: 500, long: 100_000 }) },
  );
});
