import type { Interruption } from '../run/interruption.ts';
import type { Screen } from '../run/screen.ts';
import type { Keyboard } from './keyboard.ts';
import { Patience } from './patience.ts';
import type { Person } from './person.ts';

/** Questions go to stderr: stdout may be led elsewhere. */
export function isAtTerminal({ stdin, stderr }: NodeJS.Process = process): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/** Whoever sits at this process's terminal. Loads the prompts only now. */
export async function personAt(interruption: Interruption): Promise<Person> {
  const keyboard: Keyboard = process.stdin;
  const screen: Screen = process.stderr;
  const parts = { keyboard, screen, patience: new Patience(interruption) };
  if (process.env['TERM'] === 'dumb') return new (await import('./plain-person.ts')).PlainPerson(parts);
  return new (await import('./clack-person.ts')).ClackPerson(parts);
}
