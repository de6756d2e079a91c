import { expect, it } from 'vitest';
import { createLog } from './log.ts';

const hostile = 'a\u009b2J\u001b[1Ab\u202egnp.exe\u2028c\u007fd\re\bf';

it.each(['json', 'pretty'] as const)(
  'keeps what others wrote in the line that it stands in, as %s',
  (format) => {
    let printed = '';
    const output = { write: (text: string) => (printed += text) };
    const forged = 'Ann\n[12:00:00] INFO: forged';
    createLog({ LOG_LEVEL: 'info', LOG_FORMAT: format }, output).info({ forged }, forged);
    expect(printed.trimEnd()).not.toContain('\n');
    expect(printed).toContain('Ann\\n[12:00:00] INFO: forged');
  },
);

it.each(['json', 'pretty'] as const)('gives a terminal no orders that others wrote, as %s', (format) => {
  let printed = '';
  const output = { write: (text: string) => (printed += text) };
  createLog({ LOG_LEVEL: 'info', LOG_FORMAT: format }, output).info({ hostile }, hostile);
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  expect(printed).toContain('\\u009b2J');
  if (format === 'json') expect(JSON.parse(printed)).toMatchObject({ hostile, msg: hostile });
});
