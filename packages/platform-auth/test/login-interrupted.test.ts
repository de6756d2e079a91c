import { readdirSync } from 'node:fs';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { afterAll, describe, expect, it } from 'vitest';
import { AtTerminal, surroundings } from './world/at-terminal.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { keys, type TerminalOptions } from './world/terminal-program.ts';

const inTurn = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => inTurn[Symbol.asyncDispose]());

const accounts = [
  { name: 'ann', password: 'pass-of-ann', owns: [gameApp], guards: ['device-code'] },
  { name: 'bob', password: 'pass-of-bob', owns: [gameApp], guards: ['device-confirmation'] },
] as const;

interface Step {
  readonly name: string;
  readonly reach: (person: AtTerminal) => Promise<unknown>;
}

const steps: readonly Step[] = [
  { name: 'the way in is asked', reach: (person) => person.shows(/How do you want to log in/) },
  {
    name: 'the name is asked',
    async reach(person) {
      await person.choose(/How do you want to log in/, 1);
      await person.shows(/Account name/);
    },
  },
  {
    name: 'the password is asked',
    async reach(person) {
      await person.choose(/How do you want to log in/, 1);
      await person.answer(/Account name/, 'ann');
      await person.shows(/Password of ann/);
      person.type('half a passw');
    },
  },
  {
    name: 'the code is asked',
    async reach(person) {
      await person.enterPassword('ann', 'pass-of-ann');
      await person.shows(/Code from the game store’s mobile app/);
    },
  },
  {
    name: 'it waits for an approval',
    async reach(person) {
      await person.enterPassword('bob', 'pass-of-bob');
      await person.shows(/Waiting for it/);
    },
  },
  { name: 'a QR code is shown', reach: (person) => person.chooseQr() },
];

const usual: TerminalOptions = {};
const dumb: TerminalOptions = { term: 'dumb' };
const ends = [
  { key: 'Ctrl-C', typed: keys.interrupt, options: usual },
  { key: 'Ctrl-D', typed: keys.end, options: usual },
  { key: 'Ctrl-C, on a dumb terminal,', typed: keys.interrupt, options: dumb },
  { key: 'Ctrl-D, on a dumb terminal,', typed: keys.end, options: dumb },
];

/** Of a key the terminal may make a signal, which the process that it controls gets alone; and one whole process ends by a mere key. */
function endsProcess(typed: string, options: TerminalOptions, step: string): boolean {
  return typed === keys.interrupt && (options === dumb || step === 'the password is asked');
}

describe.each(ends)('$key', ({ key, typed, options }) => {
  // Every step by the usual key; otherwise where a line is typed and where nothing is.
  const all = key === 'Ctrl-C' ? steps : steps.filter(({ name }) => /name|QR/.test(name));
  it.each(all)('while $name ends with 130, says so, and leaves nothing behind', async ({ name, reach }) => {
    await using world = await Emulated.start({ accounts });
    const how = endsProcess(typed, options, name) ? options : { ...options, inTurn };
    await using person = new AtTerminal('login', surroundings(world), how);
    await reach(person);
    person.type(typed);
    await person.shows(/Interrupted: nothing was saved/);
    expect(await person.exited).toBe(130);
    expect(readdirSync(world.directory)).toEqual([]);
    // The frame is closed, where there is one.
    expect(/\n└\nplatform-auth: /.test(person.screen)).toBe(options !== dumb);
    // A cursor that was hidden is there again.
    expect(person.raw.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(
      person.raw.lastIndexOf('\u001b[?25l'),
    );
  });
});

it.each([
  ['a usual terminal', usual],
  ['a dumb one', dumb],
])(
  'Ctrl-Z at the password does nothing on %s: what is typed after it is not shown, and logs in',
  async (_what, options) => {
    await using world = await Emulated.start({ accounts });
    await using person = new AtTerminal('login', surroundings(world), options);
    await person.choose(/How do you want to log in/, 1);
    await person.answer(/Account name/, 'ann');
    await person.shows(/Password of ann/);
    // Together with Enter: what the screen says to that tells that both have arrived.
    person.type(keys.suspend, keys.enter);
    await person.shows(/Nothing was typed|Password of ann.*Password of ann/);
    person.type('pass-of-ann', keys.enter);
    await person.shows(/Code from the game store’s mobile app/);
    expect(person.raw).not.toContain('pass-of-ann');
  },
);

it('SIGTERM ends it with 143 and leaves nothing behind', async () => {
  await using world = await Emulated.start({ accounts });
  await using person = new AtTerminal('setup', surroundings(world));
  await person.shows(/How do you want to log in/);
  person.kill('SIGTERM');
  await person.shows(/SIGTERM: nothing was saved/);
  expect(await person.exited).toBe(143);
  expect(readdirSync(world.directory)).toEqual([]);
});
