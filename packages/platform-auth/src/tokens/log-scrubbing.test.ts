import { PassThrough } from 'node:stream';
import { createLogger } from '@steward/service-kit/log/logger';
import { Secret } from '@steward/service-kit/secret';
import { expect, it } from 'vitest';
import { scrubbed } from './log-scrubbing.ts';

const password = 'pass "word"\\1';
const token = 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJzdGVhbSJ9.c2lnbmF0dXJl';

it('takes secrets out of whatever is logged', () => {
  const lines = new PassThrough();
  const stream = scrubbed(lines, [new Secret(password)]);
  const logger = createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, stream);
  logger.error({ err: new Error(`refused ${password} and ${token}`), token }, `with ${password}`);
  const written = String(lines.read());
  expect(written).toContain('[secret]');
  for (const secret of [password, JSON.stringify(password).slice(1, -1), token, token.split('.')[1] ?? token])
    expect(written).not.toContain(secret);
  expect(() => JSON.parse(written)).not.toThrow();
});
