import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Secret } from '../secret.ts';
import { createLogger } from './logger.ts';

function lines(isTTY: boolean) {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), written };
}

it('writes JSON where nobody watches', () => {
  const { stream, written } = lines(false);
  createLogger('thing', { LOG_LEVEL: 'info', LOG_FORMAT: 'auto' }, stream).info({ answer: 42 }, 'hello');
  expect(JSON.parse(written.join(''))).toMatchObject({ name: 'thing', msg: 'hello', answer: 42 });
});

it.each([
  ['auto', true],
  ['pretty', false],
] as const)('writes lines for people when LOG_FORMAT is %s and the terminal is %s', async (format, isTTY) => {
  const { stream, written } = lines(isTTY);
  createLogger('thing', { LOG_LEVEL: 'info', LOG_FORMAT: format }, stream).warn({ answer: 42 }, 'hello');
  expect(written.join('')).toMatch(/WARN.*: .*hello/);
});

it('leaves out what is below its level', () => {
  const { stream, written } = lines(false);
  createLogger('thing', { LOG_LEVEL: 'warn', LOG_FORMAT: 'json' }, stream).info('hello');
  expect(written).toEqual([]);
});

it('never writes a secret', () => {
  const { stream, written } = lines(false);
  const logger = createLogger('thing', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, stream);
  logger.info({ key: new Secret('hunter2') }, `key ${new Secret('hunter2')}`);
  expect(written.join('')).toContain('[secret]');
  expect(written.join('')).not.toContain('hunter2');
});
