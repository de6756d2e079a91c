import { hostname } from 'node:os';
import { Writable } from 'node:stream';
import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatchedLines, createLogger } from '../log/logger.ts';
import { requestLines } from './request-log.ts';

function arrangement(level: 'debug' | 'info' | 'warn' = 'info') {
  const written: string[] = [];
  const lines = new BatchedLines({ write: (text: string | Uint8Array) => written.push(String(text)) > 0 });
  const logger = createLogger('test', { LOG_LEVEL: level, LOG_FORMAT: 'json' }, lines);
  const flush = () => {
    lines.flush();
    return written.join('');
  };
  return { write: requestLines(logger), flush };
}

const text = anyText();

it('writes one line of JSON, whatever the path and the client', () => {
  fc.assert(
    fc.property(text, fc.nat(99_999), fc.option(text, { nil: undefined }), (path, tenths, client) => {
      const { write, flush } = arrangement();
      const line = { requestId: 'r-1', status: 200, ms: tenths / 10, client };
      write({ ...line, method: 'GET', path });
      expect(JSON.parse(flush())).toEqual({
        name: expect.any(String),
        pid: process.pid,
        hostname: hostname(),
        ...JSON.parse(JSON.stringify(line)),
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
        msg: JSON.parse(JSON.stringify(`GET ${path}`)),
      });
    }),
  );
});

it('gives no order to a terminal that shows it', () => {
  const { write, flush } = arrangement();
  write({ requestId: 'r-1', status: 200, ms: 1, method: 'GET', path: '/\u009b31m\u202e\u2028' });
  expect(flush()).toContain(String.raw`"msg":"GET /\u009b31m\u202e\u2028"`);
});

it('writes nothing below the level', () => {
  const { write, flush } = arrangement('warn');
  write({ requestId: 'r-1', status: 200, ms: 1, method: 'GET', path: '/' });
  expect(flush()).toBe('');
});

const answered = { requestId: 'r-1', ms: 1, method: 'GET' };

it('keeps quiet about a health check that found nothing, until somebody looks for it', () => {
  const quiet = arrangement('info');
  quiet.write({ ...answered, path: '/health', status: 200 });
  expect(quiet.flush()).toBe('');

  const { write, flush } = arrangement('debug');
  write({ ...answered, path: '/health', status: 200 });
  expect(JSON.parse(flush())).toMatchObject({ level: 20, status: 200, msg: 'GET /health' });
});

it.each([
  { path: '/health', status: 503 },
  { path: '/health/ready', status: 200 },
  { path: '/status', status: 200 },
])('says so at info when $path answered $status', ({ path, status }) => {
  const { write, flush } = arrangement('info');
  write({ ...answered, path, status });
  expect(JSON.parse(flush())).toMatchObject({ level: 30, msg: `GET ${path}`, status });
});

it('keeps as quiet where lines are not batched', () => {
  const written: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      written.push(JSON.parse(String(line)).msg);
      done();
    },
  });
  const write = requestLines(createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, stream));
  write({ ...answered, path: '/health', status: 200 });
  write({ ...answered, path: '/status', status: 200 });
  expect(written).toEqual(['GET /status']);
});
