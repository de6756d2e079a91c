import { expect, it } from 'vitest';
import { port, secret } from './kinds.ts';
import { secretNames } from './secret-names.ts';

const table = {
  PORT: port({ fallback: 80, meaning: 'where' }),
  KEY: secret({ allowed: 'any text', meaning: 'the key' }),
};

it('names secret rows and the files that hold them, and nothing else', () => {
  expect(secretNames(table)).toEqual(['KEY', 'KEY_FILE']);
});
