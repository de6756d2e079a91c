import { expect, it } from 'vitest';
import { port, secret } from './kinds.ts';
import { withoutSecrets } from './without-secrets.ts';

const table = {
  PORT: port({ fallback: 80, meaning: 'where' }),
  KEY: secret({ allowed: 'any text', meaning: 'the key' }),
};

it('leaves out secret rows and the files that hold them, and nothing else', () => {
  const others = { PORT: '8080', PORT_FILE: 'no row', MY_KEY: 'no row', KEY_FILES: 'no row', HOME: '/root' };
  expect(withoutSecrets(table, { ...others, KEY: 'k', KEY_FILE: '/run/secrets/key' })).toEqual(others);
});
