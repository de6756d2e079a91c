import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { Interruption } from '../run/interruption.ts';
import { ClackTerminal } from './clack-terminal.ts';
import { Patience } from './keyboard.ts';

it('asks in a line and shows what is typed at a terminal that does not know its size, as on a serial console', async () => {
  const keyboard = Object.assign(new PassThrough(), { setRawMode() {}, isTTY: true });
  const screen = Object.assign(new PassThrough(), { columns: 0, rows: 0 });
  const terminal = new ClackTerminal({ keyboard, screen, patience: new Patience(new Interruption()) });
  const asked = terminal.askText('Account name');
  keyboard.write('robin\r');
  expect(await asked).toBe('robin');
  const shown = stripVTControlCharacters(String(screen.read()));
  expect(shown).toContain('Account name');
  expect(shown).toContain('robin');
});
