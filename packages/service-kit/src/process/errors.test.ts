import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeInBrackets, errorCode } from './errors.ts';

it('is what Node names its error by', () => {
  const caught = (() => {
    try {
      return readFileSync('/no/such/file');
    } catch (error) {
      return error;
    }
  })();
  expect(errorCode(caught)).toBe('ENOENT');
  expect(codeInBrackets(caught)).toBe(' (ENOENT)');
});

it.each([new Error('without'), { code: 'ENOENT' }, 'ENOENT', undefined, null])(
  'is not there: %o',
  (thrown) => {
    expect(errorCode(thrown)).toBeUndefined();
    expect(codeInBrackets(thrown)).toBe('');
  },
);
