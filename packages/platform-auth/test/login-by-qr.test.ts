import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { afterAll, expect, it } from 'vitest';
import { AtTerminal, surroundings } from './world/at-terminal.ts';
import { codeOnScreen } from './world/code-on-screen.ts';
import { Emulated } from './world/emulated.ts';
import type { TerminalOptions } from './world/terminal-program.ts';

const inTurn = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => inTurn[Symbol.asyncDispose]());

function addresses({ screen }: AtTerminal): string[] {
  return screen.match(/https:\S+/g) ?? [];
}

const terminals: readonly (readonly [where: string, options: TerminalOptions])[] = [
  ['on a usual terminal', {}],
  ['in 40 columns', { columns: 40 }],
  ['in a window that just holds it', { columns: 40, rows: 23 }],
  ['on a terminal that only writes line after line', { columns: 40, term: 'dumb' }],
];

it.each(terminals)(
  'a code that a phone can read is drawn, and another once it is too old, %s',
  async (_where, options) => {
    await using world = await Emulated.start();
    await using person = new AtTerminal('login', surroundings(world), { ...options, inTurn });
    await person.chooseQr();
    const [first = ''] = addresses(person);
    expect(first).toMatch(/^https:\/\/s\.team\/q\/1\/\d+$/);
    expect(codeOnScreen(person)).toBe(first);
    world.platform.rotateQr();
    const [second = ''] = await person.shows(
      new RegExp(`https://s.team/q/1/(?!${first.split('/').at(-1)})\\d+(?= )`),
    );
    await person.shows(new RegExp(`${second} Waiting for the phone`));
    // In place: the old code is gone, wherever the cursor can be moved that far.
    const isInPlace = options.term !== 'dumb';
    expect(addresses(person)).toEqual(isInPlace ? [second] : [first, second]);
    if (isInPlace) expect(codeOnScreen(person)).toBe(second);
    world.platform.look('ann');
    await person.shows(/Scanned\. Confirm the login on the phone/);
    await person.cancel();
  },
);

it.each([
  ['narrow', { columns: 30 }],
  ['low', { rows: 21 }],
  ['low, on a terminal that only writes line after line,', { rows: 12, term: 'dumb' }],
])('in a window that is too %s for the code, the address is there whole', async (_how, options) => {
  await using world = await Emulated.start();
  await using person = new AtTerminal('login', surroundings(world), { ...options, inTurn });
  await person.chooseQr();
  await person.shows(/too small for the code, which needs 37 columns and 2\d rows/);
  expect(person.screen.replaceAll('\n', '')).toMatch(/https:\/\/s\.team\/q\/1\/\d{15,20}Waiting/);
  expect(codeOnScreen(person)).toBeUndefined();
  await person.cancel();
});

it('a window that is made smaller shows the address alone, and the code again when it is larger', async () => {
  await using world = await Emulated.start();
  await using person = new AtTerminal('login', surroundings(world));
  await person.chooseQr();
  const [address = ''] = addresses(person);
  for (const [columns, rows] of [
    [34, 24],
    [80, 15],
  ] as const) {
    person.resize(columns, rows);
    await person.showsInWindow(/^This window is too small for the code[^█▀▄]*Ctrl-C cancels\.$/);
    expect(person.window.replaceAll('\n', '')).toContain(address);
    person.resize(80, 24);
    await person.showsInWindow(/^[ █▀▄]+https:\S+ Waiting for the phone[^\n]*Ctrl-C cancels\.$/);
    expect(person.window).toContain(address);
  }
});

it('a no on the phone ends with 3', async () => {
  await using world = await Emulated.start();
  await using person = new AtTerminal('login', surroundings(world));
  await person.chooseQr();
  world.platform.deny('ann');
  await person.shows(/denied on the phone/);
  expect(await person.exited).toBe(3);
});

it('the code stays while the platform fails for a moment', async () => {
  await using world = await Emulated.start();
  const polled = { path: 'Authentication.PollAuthSessionStatus' };
  world.platform.faults.add({ when: polled, times: 3, fault: { eresult: 20 } });
  await using person = new AtTerminal('login', surroundings(world), { inTurn });
  await person.chooseQr();
  await world.platform.record.seen(polled, 4);
  world.platform.approve('ann');
  await person.shows(/Logged in as ann/);
  expect(await person.exited).toBe(0);
});
