import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Interruption } from '../run/interruption.ts';
import { Patience } from './keyboard.ts';
import { PlainTerminal } from './plain-terminal.ts';

function arrangement(limitMs?: number, columns = 80) {
  const keyboard = Object.assign(new PassThrough(), { setRawMode() {} });
  const screen = Object.assign(new PassThrough(), { columns, rows: 24 });
  const interruption = new Interruption();
  const terminal = new PlainTerminal({ keyboard, screen, patience: new Patience(interruption, limitMs) });
  return { keyboard, screen, interruption, terminal };
}

it('a question that nobody answers ends by itself: a build that has a terminal does not hang', async () => {
  const { terminal } = arrangement(20);
  await expect(terminal.askText('Account name')).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('Nobody answered'),
  });
});

it('a question that something else answered is over, and says nothing of an end', async () => {
  const { terminal } = arrangement();
  const until = new AbortController();
  const asked = terminal.askText('Code', { until: until.signal });
  until.abort();
  expect(await asked).toBeUndefined();
});

it('a terminal that goes away is an interruption', async () => {
  const { terminal, keyboard } = arrangement();
  const asked = terminal.askSecret('Password');
  keyboard.end();
  await expect(asked).rejects.toMatchObject({ exitCode: 130 });
});

it('says that a number is no choice, and asks again', async () => {
  const { terminal, keyboard, screen } = arrangement();
  const answers = ['7\r', '\r', '2\r'];
  let all = '';
  screen.on('data', (shown) => {
    all += shown;
    if (String(shown).includes('1 to 2')) keyboard.write(answers.shift());
  });
  const chosen = terminal.choose('Which?', [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ]);
  expect(await chosen).toBe('b');
  expect(answers).toEqual([]);
  expect(all.match(/That is not one of the choices\./g)).toHaveLength(1);
});

it('knows no size yet, and takes a usual one', () => {
  const { terminal, screen } = arrangement(undefined, 0);
  terminal.tell('a b c');
  expect(String(screen.read())).toBe('a b c\n');
});

it('shows nothing of a secret', async () => {
  const { terminal, keyboard, screen } = arrangement();
  const asked = terminal.askSecret('Password');
  keyboard.write('typed-password\r');
  expect((await asked).reveal()).toBe('typed-password');
  expect(String(screen.read())).toBe('Password (not shown): \n');
});
