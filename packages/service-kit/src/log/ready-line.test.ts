import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, vi } from 'vitest';
import { createLogger } from './logger.ts';
import { readyLine, tellReady } from './ready-line.ts';

/** Panels have it in their eggs, and each egg is in many hands. */
it('is what it always was, and what the documentation says', () => {
  expect(readyLine).toBe('Steward is ready');
  const page = new URL('../../../../docs/configuration.md', import.meta.url);
  expect(readFileSync(page, 'utf8')).toContain(`\`${readyLine}\``);
});

const levels = ['trace', 'info', 'error', 'silent'] as const;

it.each(levels)('is a line of JSON where lines are, with LOG_LEVEL=%s', async (LOG_LEVEL) => {
  const stream = new PassThrough();
  tellReady(createLogger('thing', { LOG_LEVEL, LOG_FORMAT: 'json', INSTANCE_NAME: 'hill' }, stream));
  const written = await text(stream.end());
  expect(JSON.parse(written)).toMatchObject({ name: 'thing', msg: readyLine, instance: 'hill' });
});

it.each(levels)('is whole on a terminal, with LOG_LEVEL=%s', async (LOG_LEVEL) => {
  const stream = Object.assign(new PassThrough(), { isTTY: true });
  tellReady(createLogger('thing', { LOG_LEVEL, LOG_FORMAT: 'auto' }, stream));
  const written = await vi.waitFor(
    () => {
      const chunk = stream.read();
      expect(chunk).not.toBeNull();
      return String(chunk);
    },
    { timeout: 20_000 },
  );
  // Without a colour inside it, which a panel would not find it for.
  expect(written).toContain(readyLine);
  expect(stripVTControlCharacters(written).trim().split('\n')).toHaveLength(1);
});
