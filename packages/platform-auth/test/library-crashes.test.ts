import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Emulated, gameApp } from './world/emulated.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

// Ways in which the libraries are known to end the process that uses them. Each runs in a process of its own.
const fast = { CLOCK_SPEED: '1000' };

function jwt(claims: object): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'EdDSA' })}.${encode(claims)}.c2ln`;
}

describe('a malformed token', () => {
  it.each([
    ['no token at all', 'not-a-token'],
    ['parts that are no JSON', 'a.b.c'],
    ['another issuer', jwt({ iss: 'r:1', sub: '76561198860265729', aud: ['client'], exp: 4e9 })],
    ['another audience', jwt({ iss: 'steam', sub: '76561198860265729', aud: ['web'], exp: 4e9 })],
    ['no account', jwt({ iss: 'steam', aud: ['client'], exp: 4e9 })],
  ])('(%s) is a dead credential', async (_what, token) => {
    await using world = await Emulated.start();
    await using sidecar = await SidecarProcess.start(world.platform, {
      SESSION_DIR: world.directory,
      PLATFORM_REFRESH_TOKEN: token,
    });
    const { session } = await sidecar.healthWhere(({ session }) => session.state === 'credentials-refused');
    expect(session.remedy).toContain('PLATFORM_REFRESH_TOKEN');
    expect(world.platform.record.count()).toBe(0);
    expect(sidecar.program.running).toBe(true);
  });
});

it('a refused renewal leaves the session as it is', async () => {
  await using world = await Emulated.start();
  const { platform } = world;
  await world.saveSession('ann', platform.refreshToken('ann', { lifetimeDays: 5 }));
  platform.faults.add({ when: { path: 'Authentication.GenerateAccessTokenForApp' }, fault: { eresult: 15 } });
  await using sidecar = await SidecarProcess.start(platform, { SESSION_DIR: world.directory });
  await sidecar.program.line(/could not be renewed today/);
  expect((await sidecar.health()).logged_in).toBe(true);
  expect(platform.record.count({ path: 'ClientLogon' })).toBe(1);
});

describe('corrupt data', () => {
  const damages = ['corrupt', 'truncated', 'wrong-bytes'] as const;

  // One process takes it all: whatever one case left behind would show in the next.
  let world: Emulated;
  let sidecar: SidecarProcess;
  let days = 190;
  beforeAll(async () => {
    world = await Emulated.start();
    await world.saveSession('ann');
    sidecar = await SidecarProcess.start(world.platform, { ...fast, SESSION_DIR: world.directory });
    await sidecar.healthWhere(({ logged_in }) => logged_in);
    // What goes wrong with the first message of a type comes from other code of the library than with those that follow.
    await sidecar.get('/platform/app-ticket');
  });
  afterAll(async () => {
    await sidecar[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const loggedIn = () =>
    sidecar.healthWhere(({ logged_in }) => logged_in && world.platform.online.length > 0);

  /** As after a login in another container. Each token has other days left, by which /health tells that it is the one in use. */
  async function newSession(): Promise<void> {
    days -= 1;
    await savedMeanwhile(world.platform.refreshToken('ann', { lifetimeDays: days + 0.5 }));
    await sidecar.healthWhere(({ logged_in, session }) => logged_in && session.token_days_remaining === days);
  }

  async function savedMeanwhile(token: string): Promise<void> {
    await world.saveSession('ann', token);
    const logons = world.platform.record.count({ path: 'ClientLogon' });
    world.platform.dropConnections();
    await world.platform.record.seen({ path: 'ClientLogon' }, logons + 1);
    await loggedIn();
  }

  it.each(damages)('(%s) in the answer to a logon costs at most the session', async (damage) => {
    world.platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { damage } });
    await newSession();
    expect(sidecar.program.running).toBe(true);
  });

  it.each(damages)('(%s) in the answer to a ticket request costs at most the session', async (damage) => {
    const { platform } = world;
    // What the case before has left is not asked for a ticket.
    await newSession();
    const asked = platform.record.count({ path: 'ClientRequestEncryptedAppTicket' });
    platform.liftTicketCooldown();
    platform.faults.add({
      when: { path: 'ClientRequestEncryptedAppTicket' },
      times: 1,
      fault: { damage },
    });
    await sidecar.get('/platform/app-ticket');
    expect(platform.record.count({ path: 'ClientRequestEncryptedAppTicket' })).toBe(asked + 1);
    await loggedIn();
    expect(sidecar.program.running).toBe(true);
  });

  // The renewal kills the old token, and the damage the new one: a new login is the way back, and it works.
  it.each(damages)('(%s) in the answer to a renewal costs at most the saved session', async (damage) => {
    const { platform } = world;
    const ends = /refresh token expires in 4 days|saved session was renewed/;
    const ended = sidecar.program.stderr.filter((line) => ends.test(line)).length;
    platform.faults.add({
      when: { path: 'Authentication.GenerateAccessTokenForApp' },
      times: 1,
      fault: { damage },
    });
    await savedMeanwhile(platform.refreshToken('ann', { lifetimeDays: 5 }));
    await sidecar.program.line(ends, { number: ended + 1 });
    await newSession();
    expect(sidecar.program.running).toBe(true);
  });
});

describe('what escapes the libraries all the same', () => {
  it.each(['a malformed token', 'a wrong key'])('(%s) costs the session, which comes back', async (crash) => {
    await using world = await Emulated.start();
    await world.saveSession('ann');
    await using sidecar = await SidecarProcess.start(world.platform, {
      ...fast,
      SESSION_DIR: world.directory,
      CRASH: crash,
    });
    await sidecar.healthWhere(({ logged_in }) => logged_in);
    sidecar.program.kill('SIGUSR2');
    await sidecar.program.line(/an error escaped a platform library/);
    await world.platform.record.seen({ path: 'ClientLogon' }, 2);
    await sidecar.healthWhere(({ logged_in }) => logged_in);
    expect(await (await sidecar.get('/metrics')).text()).toMatch(/library_errors_total 1/);
  });

  it('but an error of our own ends the process with 1, so that it starts clean', async () => {
    await using world = await Emulated.start({ accounts: [{ name: 'ann', password: 'x', owns: [gameApp] }] });
    await using sidecar = await SidecarProcess.start(world.platform, {
      ...fast,
      SESSION_DIR: world.directory,
      CRASH: 'ours',
    });
    sidecar.program.kill('SIGUSR2');
    expect(await sidecar.program.exited).toEqual({ code: 1, signal: null });
  });
});
