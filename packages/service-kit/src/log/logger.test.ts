import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Secret } from '../secret.ts';
import { BatchedLines, createLogger, readyLines } from './logger.ts';

/** Of a busy machine. */
const patience = { timeout: 20_000 };

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

it('says in each line which of several servers it is, where that has a name', () => {
  for (const [INSTANCE_NAME, instance] of [
    ['hill', 'hill'],
    ['', undefined],
  ] as const) {
    const { stream, written } = lines(false);
    const logger = createLogger('thing', { LOG_LEVEL: 'info', LOG_FORMAT: 'json', INSTANCE_NAME }, stream);
    logger.info('hello');
    logger.child({ requestId: 'r' }).warn('again');
    const found = written.map((line) => JSON.parse(line).instance);
    expect(found).toEqual([instance, instance]);
  }
});

it.each([
  ['auto', true],
  ['pretty', false],
] as const)('writes lines for people when LOG_FORMAT is %s and the terminal is %s', async (format, isTTY) => {
  const { stream, written } = lines(isTTY);
  createLogger('thing', { LOG_LEVEL: 'info', LOG_FORMAT: format }, stream).warn({ answer: 42 }, 'hello');
  await vi.waitFor(() => expect(written.join('')).toMatch(/WARN.*: .*hello/), patience);
});

it.each(['json', 'pretty'] as const)('gives a terminal no orders that others wrote, as %s', (format) => {
  const hostile = 'a\u009b2J\u001b[1Ab\u202egnp.exe\u2028c\u007fd\re\bf';
  const printed = printedWith(
    format,
    `const hostile = ${JSON.stringify(hostile)};
     logger.info({ hostile, err: new Error(hostile) }, hostile);`,
  );
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  expect(printed).toContain('\\u009b2J');
  if (format === 'json') expect(JSON.parse(printed)).toMatchObject({ hostile, msg: hostile });
});

it.each(['json', 'pretty'] as const)(
  'keeps what others wrote in the line that it stands in, as %s',
  (format) => {
    const printed = printedWith(
      format,
      `logger.info({ name: 'Ann\\n[12:00:00] INFO: forged' }, 'Refused farmhand Ann\\r\\n[12:00:00] INFO: forged');
     logger.info({ answer: 42 });`,
    );
    expect(printed.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/Refused farmhand Ann.*\\n\[12:00:00\] INFO: forged/),
      expect.stringContaining('42'),
    ]);
    expect(printed).not.toContain('undefined');
  },
);

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

/** Runs some lines in a process of their own, which has a logger in this format, and tells what it printed. */
function printedWith(format: 'json' | 'pretty', lines: string): string {
  const module = new URL('./logger.ts', import.meta.url).href;
  const program = `import { createLogger } from '${module}';
    import { createRequire } from 'node:module';
    const logger = createLogger('thing', { LOG_LEVEL: 'info', LOG_FORMAT: '${format}' }, process.stdout);
    ${lines}`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

it('loses no line of a process that exits before its lines for people can be made', () => {
  const printed = printedWith('pretty', `logger.info('one'); logger.fatal('two'); process.exit(0);`);
  const messages = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(['one', 'two']);
});

it.each([
  ['json', false],
  ['pretty', true],
] as const)('loads what makes lines for people only where they are wanted: %s', (format, wanted) => {
  const printed = printedWith(
    format,
    `process.once('beforeExit', () => {
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log('loaded:', loaded.some((file) => file.includes('pino-pretty')));
    });`,
  );
  expect(printed).toContain(`loaded: ${wanted}`);
});

it('names the sources in the stack trace of an error', () => {
  using directory = temporaryDirectory();
  const bundled = join(directory.path, 'serve.js');
  // The first column of its first line is the first of serve.ts.
  const map = {
    version: 3,
    sources: ['steward:///packages/control-api/src/serve.ts'],
    names: [],
    mappings: 'AAAA',
  };
  writeFileSync(`${bundled}.map`, JSON.stringify(map));
  const { stream, written } = lines(false);
  const error = new Error('broken');
  error.stack = `Error: broken\n    at serve (${pathToFileURL(bundled)}:1:1)\n    at elsewhere (file:///nowhere.js:1:2)`;
  createLogger('thing', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, stream).error({ err: error }, 'it broke');
  const [, ours, elsewhere] = JSON.parse(written.join('')).err.stack.split('\n');
  expect(ours).toBe('    at serve (steward:///packages/control-api/src/serve.ts:1:1)');
  expect(elsewhere).toContain('file:///nowhere.js:1:2');
});

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

it.each([undefined, 'hill'])(
  'writes a ready line as the logger writes it, with the instance %s',
  (INSTANCE_NAME) => {
    const written: string[] = [];
    const lines = new BatchedLines({ write: (text: string | Uint8Array) => written.push(String(text)) > 0 });
    const settings = {
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      ...(INSTANCE_NAME && { INSTANCE_NAME }),
    } as const;
    const logger = createLogger('test', settings, lines);
    logger.info({ answer: 42 }, 'hello');
    readyLines(logger)?.('"answer":42,"msg":"hello"');
    lines.flush();
    const [byPino, ready, ...more] = written.join('').split('\n');
    expect(byPino).toContain('"answer":42');
    expect(ready).toBe(byPino);
    expect(more).toEqual(['']);
  },
);

it('gives a terminal no orders in a batch either, whoever made its lines', () => {
  const written: string[] = [];
  const lines = new BatchedLines({ write: (text: string | Uint8Array) => written.push(String(text)) > 0 });
  const hostile = 'a\u009b2Jb\u202ec\u2028d\u007f';
  const settings = { LOG_LEVEL: 'info', LOG_FORMAT: 'json', INSTANCE_NAME: hostile } as const;
  const logger = createLogger('test', settings, lines);
  for (const make of [() => logger.info(hostile), () => readyLines(logger)?.('"msg":"hello"')]) {
    make();
    lines.flush();
    const line = written.pop() ?? '';
    expect(line).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(line)).toMatchObject({ instance: hostile });
  }
});

it('lets a ready line wait for others also behind an error', () => {
  const { written, logger } = arrangement();
  logger.error('one');
  readyLines(logger)?.('"msg":"two"');
  expect(written).toHaveLength(1);
  vi.advanceTimersByTime(50);
  expect(written).toHaveLength(2);
});

it('has no ready lines where they are for people, or below the level', () => {
  const { stream } = lines(false);
  expect(readyLines(createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, stream))).toBe(undefined);
  const batched = new BatchedLines({ write: () => true });
  expect(readyLines(createLogger('test', { LOG_LEVEL: 'warn', LOG_FORMAT: 'json' }, batched))).toBe(
    undefined,
  );
});
