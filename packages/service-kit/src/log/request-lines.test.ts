import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatchedLines } from './batched-lines.ts';
import { createLogger } from './logger.ts';
import { requestLines } from './request-lines.ts';

function arrangement(level: 'info' | 'warn' = 'info') {
  const written: string[] = [];
  const lines = new BatchedLines({ write: (text: string | Uint8Array) => written.push(String(text)) > 0 });
  const logger = createLogger('test', { LOG_LEVEL: level, LOG_FORMAT: 'json' }, lines);
  const flush = () => {
    lines.flush();
    return written.join('');
  };
  return { logger, write: requestLines(logger), flush };
}

it('writes the same line as the logger itself would, whatever the path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(99_999), (path, tenths) => {
      const { logger, write, flush } = arrangement();
      const answered = { requestId: 'r-1', status: 200, ms: tenths / 10, method: 'GET', path };
      write(answered);
      logger.info({ requestId: 'r-1', status: 200, ms: tenths / 10 }, `GET ${path}`);
      const [ours, pinos] = flush()
        .trim()
        .split('\n')
        .map((line) => ({ ...JSON.parse(line), time: undefined }));
      expect(ours).toEqual(pinos);
    }),
  );
});

it('writes nothing below the level', () => {
  const { write, flush } = arrangement('warn');
  write({ requestId: 'r-1', status: 200, ms: 1, method: 'GET', path: '/' });
  expect(flush()).toBe('');
});
