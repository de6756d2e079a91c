import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BatchedLines } from './batched-lines.ts';
import { createLogger } from './logger.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function arrangement() {
  const written: string[] = [];
  const stream = { write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  const lines = new BatchedLines(stream);
  const logger = createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, lines);
  return { written, lines, logger };
}

it('writes many lines at once, soon after the first', () => {
  const { written, logger } = arrangement();
  logger.info('one');
  logger.info('two');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(written).toHaveLength(1);
  expect(written[0]?.match(/"msg":"(one|two)"/g)).toHaveLength(2);
  vi.advanceTimersByTime(1_000);
  expect(written).toHaveLength(1);
});

it('writes an error at once, after everything that came before it', () => {
  const { written, logger } = arrangement();
  logger.info('one');
  logger.error('two');
  expect(written.join('')).toMatch(/one.*\n.*two/);
});

it('does not let a batch grow without end', () => {
  const { written, logger } = arrangement();
  for (let line = 0; line < 1_000; line += 1) logger.info('x'.repeat(100));
  expect(written.length).toBeGreaterThan(5);
});

it('writes what is left when it is told to, and then nothing more', () => {
  const { written, lines, logger } = arrangement();
  logger.info('one');
  lines.flush();
  lines.flush();
  expect(written).toHaveLength(1);
});
