import { readdirSync, readFileSync } from 'node:fs';
import type { AccountOptions } from '@steward/platform-emulator/accounts/accounts';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { afterAll, describe, expect, it } from 'vitest';
import { AtTerminal, surroundings } from './world/at-terminal.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { keys, type TerminalOptions } from './world/terminal-program.ts';

// Every way in by name and password, on a terminal of its own. How each kind of end comes about is shown by the program as built; most
// ways there differ in what is asked and answered, which commands in turn show as well.

const inTurn = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => inTurn[Symbol.asyncDispose]());

const guards = ['device-code', 'device-confirmation'] as const;
const terminals: readonly (readonly [where: string, options: TerminalOptions])[] = [
  ['in 80 columns', {}],
  ['in 40 columns', { columns: 40 }],
  ['in 40 columns of a terminal that only writes line after line', { columns: 40, term: 'dumb' }],
];

/** The frame is closed before it is said, outside of it, what was wrong. */
const frameThenReason = /\n└\nplatform-auth: /;

const polled = { path: 'Authentication.PollAuthSessionStatus' };
const begun = { path: 'Authentication.BeginAuthSessionViaCredentials' };

function worldOf(account: Partial<AccountOptions>): Promise<Emulated> {
  const ann = { name: 'ann', password: 'pass-of-ann', owns: [gameApp], guardCode: 'RIGHT' };
  return Emulated.start({ accounts: [{ ...ann, ...account }] });
}

describe('an account with', () => {
  it('no guard needs the password alone, and is saved under the name that the platform knows it by', async () => {
    await using world = await worldOf({});
    await using person = new AtTerminal('login', surroundings(world));
    await person.enterPassword('ANN', 'pass-of-ann');
    await person.shows(/Logged in as ann\./);
    expect(await person.exited).toBe(0);
    expect(readdirSync(world.directory)).toEqual(['session-ann.json']);
    expect(await world.savedToken('ann')).toBeDefined();
    // The password is shown neither as it is typed nor later.
    expect(person.raw).not.toContain('pass-of-ann');
  });

  it.each(terminals)(
    'a code by e-mail is told where to look, and asked again, %s',
    async (_where, options) => {
      await using world = await worldOf({ guards: ['email-code'], emailDomain: 'mail.example' });
      await using person = new AtTerminal('login', surroundings(world), { ...options, inTurn });
      await person.enterPassword('ann', 'pass-of-ann');
      await person.answer(/Code from the e-mail to …@mail\.example/, 'WRONG');
      await person.answer(/this code is wrong\. Compare it with the newest .*Code from the e-mail/, 'RIGHT');
      await person.shows(/Logged in as ann/);
      expect(await person.exited).toBe(0);
      expect(person.raw).not.toContain('pass-of-ann');
      // Nothing is left to the terminal to break, which it would do in the middle of a word.
      if (options.term !== 'dumb') expect(person.brokenWords).toEqual([]);
      else expect(person.raw).not.toContain('\u001b');
    },
  );

  it('codes by app and by e-mail is asked for the one by e-mail, as which any code is sent', async () => {
    await using world = await worldOf({ guards: ['device-code', 'email-code'], emailDomain: 'mail.example' });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    const [asked] = await person.shows(/Code from the (e-mail to …@mail\.example|game store’s mobile app)/);
    expect(asked).toContain('e-mail');
    person.type('RIGHT', keys.enter);
    await person.shows(/Logged in as ann/);
    expect(await person.exited).toBe(0);
  });

  it('code and approval goes on after either; docs/sidecar.md shows this very screen', async () => {
    const account = {
      name: 'farmhost',
      password: 'twelve-chars',
      guards,
      guardCode: 'K7QRT',
      owns: [gameApp],
    };
    await using world = await Emulated.start({ accounts: [account] });
    await using person = new AtTerminal('login', surroundings(world));
    await person.enterPassword('farmhost', 'twelve-chars');
    await person.answer(/Code from the game store’s mobile app/, 'K7QRT');
    await person.shows(/Logged in as farmhost/);
    expect(await person.exited).toBe(0);
    const page = readFileSync(new URL('../../../docs/sidecar.md', import.meta.url), 'utf8');
    const [, documented = ''] = /```text\n(┌.*?)```/s.exec(page) ?? [];
    const screen = person.screen.replace(world.directory, '/data/platform-session');
    expect(onOneLine(screen)).toBe(onOneLine(documented));
  });

  it('code and approval goes on by itself when it is approved while the code is asked for', async () => {
    await using world = await worldOf({ guards });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(
      /approve the login of ann there, or type the code.*Code from the game store’s mobile app/,
    );
    person.type('RI');
    world.platform.approve('ann');
    await person.shows(/Logged in as ann/);
    expect(await person.exited).toBe(0);
  });

  it.each([
    ['device-confirmation', /Open the game store’s mobile app and approve the login of ann there/],
    ['email-confirmation', /Open the e-mail that the platform has just sent/],
  ] as const)('a %s says what to do, and that somebody has looked', async (guard, whatToDo) => {
    await using world = await worldOf({ guards: [guard] });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(whatToDo);
    // Keys that nobody asked for end up nowhere.
    person.type('hello?', keys.enter);
    world.platform.look('ann');
    await person.shows(/The request was opened/);
    world.platform.approve('ann');
    await person.shows(/Logged in as ann/);
    expect(await person.exited).toBe(0);
    expect(person.screen).not.toContain('hello?');
  });
});

describe('refused', () => {
  it('on the phone, it ends with 3 and saves nothing', async () => {
    await using world = await worldOf({ guards: ['device-confirmation'] });
    await using person = new AtTerminal('login', surroundings(world));
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(/Waiting for it/);
    world.platform.deny('ann');
    await person.shows(/denied on the phone/);
    expect(await person.exited).toBe(3);
    expect(readdirSync(world.directory)).toEqual([]);
  });

  it.each([
    ['denied', 9],
    ['left for too long', 27],
  ])('a code for a login that was %s ends it with 3, in words', async (_what, eresult) => {
    await using world = await worldOf({ guards });
    const { faults } = world.platform;
    // The code is on its way before the polls tell of the end.
    faults.add({ when: polled, fault: { stallAtByte: 0 } });
    faults.add({ when: { path: /UpdateAuthSessionWithSteamGuardCode/ }, fault: { eresult } });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.answer(/Code from the game store’s mobile app/, 'RIGHT');
    await person.shows(/denied on the phone, or has timed out.*Run the command again/);
    expect(await person.exited).toBe(3);
  });

  it.each(terminals)(
    'for its password, it takes the name typed again for the whole name, %s',
    async (_where, options) => {
      await using world = await worldOf({});
      await using person = new AtTerminal('login', surroundings(world), { ...options, inTurn });
      await person.enterPassword('ann', 'wrong-1');
      await person.answer(/Name or password is wrong.*Account name/, 'ann');
      await person.answer(/(Password of ann.*){2}/, 'pass-of-ann');
      await person.shows(/Logged in as ann/);
      expect(await person.exited).toBe(0);
      expect(world.platform.record.count(begun)).toBe(2);
      if (options.term !== 'dumb') expect(person.brokenWords).toEqual([]);
    },
  );

  it('for its password, it asks again twice, with the name as it was, and ends with 3', async () => {
    await using world = await worldOf({});
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'wrong-1');
    await person.shows(/Name or password is wrong\. .*Account name.*Enter for ann/);
    person.type(keys.enter);
    await person.answer(/Account name.*Password of ann.*Account name.*Password of ann/, 'wrong-2');
    await person.shows(/(Name or password is wrong.*){2}Account name/);
    person.type(keys.enter);
    await person.answer(/(Password of ann.*){3}/, 'wrong-3');
    await person.shows(
      /3 logins were refused: name or password is wrong. Check both, and run the command again/,
    );
    expect(person.screen).toMatch(frameThenReason);
    expect(await person.exited).toBe(3);
    expect(world.platform.record.count(begun)).toBe(3);
  });

  it.each([
    ['device-code', 'Code from the game store’s mobile app', /were wrong\. Check the clock of the phone/],
    ['email-code', 'Code from the e-mail', /5 codes were wrong\. Run the command again and take/],
  ] as const)('for five codes of a %s, it ends with 3', async (guard, question, ending) => {
    await using world = await worldOf({ guards: [guard] });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    for (let tries = 1; tries <= 5; tries += 1)
      await person.answer(new RegExp(`(${question}.*){${tries}}`), `NO${tries}`);
    await person.shows(ending);
    expect(person.screen).toMatch(frameThenReason);
    expect(await person.exited).toBe(3);
  });

  it('for a guard that nobody here knows, it says so, and names the way without one', async () => {
    await using world = await worldOf({ guards: ['legacy-machine'] });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(/guard that this program does not know \(LegacyMachineAuth\).*choose the QR code/);
    expect(await person.exited).toBe(3);
    expect(person.screen).not.toContain('cannot be reached');
  });

  it('for too many logins, it ends with 5 at once and says to wait', async () => {
    await using world = await worldOf({});
    world.platform.faults.add({ when: begun, fault: { eresult: 84 } });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(/RateLimitExceeded.*Wait: every further attempt.*each start of Steward is one/);
    expect(await person.exited).toBe(5);
  });

  it('at the logon that tries the new session, it saves nothing, and has asked for nothing that was set', async () => {
    await using world = await worldOf({ refusal: 17 });
    const account = { PLATFORM_USERNAME: 'ann', PLATFORM_PASSWORD: 'pass-of-ann' };
    await using person = new AtTerminal('login', { ...surroundings(world), ...account }, { inTurn });
    await person.shows(/The account is banned/);
    expect(await person.exited).toBe(3);
    expect(readdirSync(world.directory)).toEqual([]);
    expect(person.screen).not.toMatch(/Account name|Password of|How do you want/);
  });
});

describe('the platform fails', () => {
  it('between password and code: the code goes over a new connection', async () => {
    await using world = await worldOf({ guards: ['device-code'] });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(/Code from the game store’s mobile app/);
    world.platform.dropConnections();
    // As people type codes.
    person.type(' rig ht', keys.enter);
    await person.shows(/Logged in as ann/);
    expect(await person.exited).toBe(0);
  });

  it('to answer a code that it has taken: it says so when it is asked again, and the login goes on', async () => {
    await using world = await worldOf({ guards: ['email-code'] });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(/Code from the e-mail/);
    world.platform.approve('ann');
    person.type('RIGHT', keys.enter);
    await person.shows(/Logged in as ann/);
    expect(await person.exited).toBe(0);
  });

  it('while somebody looks for the phone: the login waits on', async () => {
    await using world = await worldOf({ guards: ['device-confirmation'] });
    world.platform.faults.add({ when: polled, times: 3, fault: { eresult: 10 } });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(/Waiting for it/);
    await world.platform.record.seen(polled, 4);
    world.platform.approve('ann');
    await person.shows(/Logged in as ann/);
    expect(await person.exited).toBe(0);
  });

  it('four times in a row while somebody looks for the phone: the login ends, and says why', async () => {
    await using world = await worldOf({ guards: ['device-confirmation'] });
    world.platform.faults.add({ when: polled, times: 4, fault: { eresult: 10 } });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(/Waiting for it.*The platform is busy/);
    expect(await person.exited).toBe(7);
    expect(world.platform.record.count(polled)).toBe(4);
  });

  it('at the first step: the login goes on where it passes', async () => {
    await using world = await worldOf({ guards: ['device-code'] });
    world.platform.faults.add({ when: begun, times: 1, fault: { eresult: 20 } });
    world.platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { eresult: 48 } });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.answer(
      /ServiceUnavailable.*Trying again in 1 s.*Code from the game store’s mobile app/,
      'RIGHT',
    );
    await person.shows(/TryAnotherCM.*Trying again in 1 s.*Logged in as ann/);
    expect(await person.exited).toBe(0);
  });

  it('just when the new session is tried: it is kept, and the end is 7', async () => {
    await using world = await worldOf({});
    world.platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult: 20 } });
    await using person = new AtTerminal('login', surroundings(world), { inTurn });
    await person.enterPassword('ann', 'pass-of-ann');
    await person.shows(
      /session of ann is saved, but could not be tested.*Run the command again and choose it/,
    );
    expect(await person.exited).toBe(7);
    expect(await world.savedToken('ann')).toBeDefined();
  });
});

/** Where lines break depends on how long the directory's name is. */
function onOneLine(screen: string): string {
  return screen.replace(/[\s│]+/g, ' ').trim();
}
