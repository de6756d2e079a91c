import { anyText } from '@steward/testing/hostile/text';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readQuery } from './query-text.ts';

const part = fc.oneof(
  anyText({ maxLength: 12 }),
  fc.constantFrom(
    'a=1',
    'a',
    '=',
    '==',
    '%',
    'a=%zz',
    '%ff=%c3%28',
    'a+b=c+d',
    '__proto__=1',
    'constructor=1',
    '',
  ),
);

it('keeps all that a hostile query says, in its order', { timeout: 3_600_000 }, () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('&');
      const query = withstand(() => readQuery(text));
      const said = text.split('&').filter((each) => each !== '').length;
      expect(Object.values(query).flat()).toHaveLength(said);
      expect(text.includes('__proto__=1') && !Object.hasOwn(query, '__proto__')).toBe(false);
    }),
    { numRuns: count({ small: 200, long: 100_000 }) },
  );
});

it('reads a parameter that stands there a hundred thousand times in the time of as many names', {
  timeout: 3_600_000,
}, () => {
  const times = 100_000;
  expect(withstand(() => readQuery('a&'.repeat(times)))['a']).toHaveLength(times);
});
