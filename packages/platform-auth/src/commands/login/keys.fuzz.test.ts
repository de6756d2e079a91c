import { PassThrough } from 'node:stream';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Interruption } from '../run/interruption.ts';
import { ClackTerminal } from './clack-terminal.ts';
import { Patience } from './keyboard.ts';
import { PlainTerminal } from './plain-terminal.ts';
import type { Terminal } from './terminal.ts';

const interrupted = 130;

/** Ctrl-Z is among what is typed; a question that took it for a signal would stop the process of these tests. */
let stops = 0;
const onStop = () => {
  stops += 1;
};
beforeAll(() => {
  process.on('SIGTSTP', onStop);
});
afterAll(() => {
  process.off('SIGTSTP', onStop);
});

function seated(kind: typeof ClackTerminal | typeof PlainTerminal) {
  const keyboard = Object.assign(new PassThrough(), { setRawMode() {}, isTTY: true });
  const screen = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  screen.resume();
  const terminal = new kind({ keyboard, screen, patience: new Patience(new Interruption()) });
  return { keyboard, terminal };
}

const named = fc.constantFrom(
  '\u001a',
  '\u001b[A',
  '\u001b[B',
  '\u001b[200~',
  '\u001b[999;999R',
  '\u001b',
  '\b',
  '\u007f',
  '\t',
  '\u0015',
  '\u0017',
  '\u0001',
  'ann',
  'ü',
  '👋',
  '\u0000',
  '7',
  '1',
  ' ',
);
const keys = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: named.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: garbage(20) },
    { weight: 2, arbitrary: damaged(named.map((text) => Buffer.from(text))) },
  ),
  { maxLength: 12 },
);
const questions: readonly ((terminal: Terminal) => Promise<unknown>)[] = [
  (terminal) => terminal.askText('Account name'),
  async (terminal) => (await terminal.askSecret('Password')).reveal(),
  (terminal) =>
    terminal.choose('Which?', [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ]),
];

it.each([
  ['a terminal that moves its cursor', ClackTerminal],
  ['a terminal that cannot', PlainTerminal],
])(
  'whatever is typed at %s, a question ends with an answer, or as interrupted when the terminal goes away',
  { timeout: 3_600_000 },
  async (_what, kind) => {
    await fc.assert(
      fc.asyncProperty(keys, fc.constantFrom(...questions), fc.boolean(), async (typed, ask, isSent) => {
        const { keyboard, terminal } = seated(kind);
        const asked = ask(terminal).then(
          (answer) => ({ answer }),
          (error: unknown) => ({ error }),
        );
        await new Promise<void>((resolve) => setImmediate(resolve));
        for (const bytes of typed) keyboard.write(bytes);
        if (isSent) keyboard.write('\r');
        await new Promise<void>((resolve) => setImmediate(resolve));
        keyboard.end();
        const end = await withstandAsync(() => asked);
        if ('error' in end) expect(end.error).toMatchObject({ exitCode: interrupted });
        else expect(typeof end.answer).toBe('string');
      }),
      { numRuns: count({ small: 150, long: 2_000 }) },
    );
    expect(stops).toBe(0);
  },
);
