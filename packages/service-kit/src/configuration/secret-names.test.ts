import { expect, it } from 'vitest';
import { port, secretText } from './kinds.ts';
import { secretNames } from './secret-names.ts';
import { variable } from './variable.ts';

const table = {
  PORT: variable(port, { fallback: 80, means: 'where' }),
  KEY: variable(secretText('any text'), { means: 'the key' }),
};

it('names secret rows and the files that hold them, and nothing else', () => {
  expect(secretNames(table)).toEqual(['KEY', 'KEY_FILE']);
});
