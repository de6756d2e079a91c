import { Secret } from '@steward/service-kit/secret';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { SteamPlatform } from '../src/platform/steam-platform.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';
import { through } from './world/through.ts';

// A platform that takes everything and answers nothing; the clock of the deadlines is the test's.

it('a logon without an answer is given up and tried again', async () => {
  await using world = await Emulated.start();
  const platformClock = new ManualClock(new Date());
  const answerAgain = world.platform.silence();
  await world.saveSession('ann');
  const { platform, directory } = world;
  const clock = new ManualClock(new Date());
  await using sidecar = await LocalSidecar.start({ platform, directory, clock, platformClock });
  await platform.record.seen({ path: 'ClientLogon' });
  platformClock.advance(30_000);
  expect((await sidecar.until('retrying')).reason).toBe('The platform did not answer the logon within 30 s');
  answerAgain();
  clock.advance(2_000);
  await sidecar.until('logged-in');
});

it('an error that escapes a library during a logon begins no other beside it', async () => {
  await using world = await Emulated.start();
  const platformClock = new ManualClock(new Date());
  world.platform.silence();
  await world.saveSession('ann');
  const { platform, directory } = world;
  const clock = new ManualClock(new Date());
  await using sidecar = await LocalSidecar.start({ platform, directory, clock, platformClock });
  await platform.record.seen({ path: 'ClientLogon' });
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  reset.stack = `${reset}\n    at TCP.onStreamRead (node:internal/stream_base_commons:216:20)`;
  expect(sidecar.sidecar.contain(reset)).toBe(true);
  expect(await sidecar.status()).toMatchObject({ state: 'logging-in' });
  expect(sidecar.log.join('')).toContain('Error ECONNRESET');
  platformClock.advance(30_000);
  await sidecar.until('retrying');
  expect(platform.record.count({ path: 'ClientLogon' })).toBe(1);
});

it('a session on which nothing is answered any more ends, though its line stands', async () => {
  await using world = await Emulated.start();
  const { platform } = world;
  const clock = new ManualClock(new Date());
  const steam = new SteamPlatform({ proxy: through(platform.proxyUrl), logonId: 1, clock });
  const session = await steam.logOn(new Secret(platform.refreshToken('ann')));
  const ask = async (times: number) => {
    const asked = session.appTicket(gameApp).then(() => 'answered', String);
    await platform.record.seen({ path: 'ClientRequestEncryptedAppTicket' }, times);
    clock.advance(10_000);
    return await asked;
  };
  const answerAgain = platform.silence();
  // However many wait at once, it is one silence.
  const many = [1, 2, 3].map(() =>
    session.updateLobby(gameApp, '1', { maxMembers: 8, metadata: {} }).catch(String),
  );
  for (const times of [1, 2]) expect(await ask(times)).toMatch(/did not answer the ticket request/);
  expect(await Promise.all(many)).toHaveLength(3);
  answerAgain();
  platform.liftTicketCooldown();
  // One answer, and the line counts as good again.
  const answered = session.appTicket(gameApp).then(() => 'answered', String);
  expect(await answered).toBe('answered');
  platform.silence();
  for (const times of [4, 5]) expect(await ask(times)).toMatch(/did not answer the ticket request/);
  expect(await Promise.race([session.ended, 'it lives'])).toBe('it lives');
  await ask(6);
  // One silent service would not be enough: two others are asked.
  await platform.record.seen({ path: 'ClientGetAppOwnershipTicket' });
  await platform.record.seen({ path: 'ClientPICSProductInfoRequest' });
  clock.advance(10_000);
  expect(await session.ended).toMatchObject({
    class: 'transient',
    reason: 'The platform answers nothing on this session',
  });
});

it.each(['ClientRequestEncryptedAppTicket', 'ClientPICSProductInfoRequest'])(
  'a session on which one service alone answers nothing stays: %s',
  async (path) => {
    await using world = await Emulated.start();
    const { platform } = world;
    const clock = new ManualClock(new Date());
    const steam = new SteamPlatform({ proxy: through(platform.proxyUrl), logonId: 1, clock });
    const session = await steam.logOn(new Secret(platform.refreshToken('ann')));
    platform.faults.add({ when: { path }, fault: { stallAtByte: 0 } });
    const { ownsApp, productInfo } = session.content;
    for (const round of [1, 2]) {
      for (let miss = 1; miss <= 3; miss += 1) {
        const asked =
          path === 'ClientPICSProductInfoRequest' ? productInfo(gameApp) : session.appTicket(gameApp);
        clock.advance(10_000);
        await expect(asked).rejects.toThrow('did not answer');
      }
      // By itself it asks another service before it would end, and that answers in turn: before it answers this test.
      await platform.record.seen({ path: 'ClientGetAppOwnershipTicket' }, round * 2 - 1);
      expect(await ownsApp(gameApp)).toBe(true);
    }
    clock.advance(10_000);
    expect(await Promise.race([session.ended, 'it lives'])).toBe('it lives');
    await session.close();
  },
);

it('a connection that breaks before the logon is answered is no silence: no deadline has to pass', async () => {
  await using world = await Emulated.start();
  await world.saveSession('ann');
  const { platform, directory } = world;
  platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { resetAtByte: 0 } });
  const clock = new ManualClock(new Date());
  await using sidecar = await LocalSidecar.start({
    platform,
    directory,
    clock,
    platformClock: new ManualClock(new Date()),
  });
  expect((await sidecar.until('retrying')).reason).toBe(
    'The connection to the platform was lost (NoConnection)',
  );
  clock.advance(2_000);
  await sidecar.until('logged-in');
});

it('a ticket and a lobby without an answer end with 503, and the next ones are there', async () => {
  await using world = await Emulated.start();
  const platformClock = new ManualClock(new Date());
  const clock = new ManualClock(new Date());
  const { platform, directory } = world;
  await world.saveSession('ann');
  await using sidecar = await LocalSidecar.start({ platform, directory, clock, platformClock });
  await sidecar.until('logged-in');
  const answerAgain = platform.silence();
  const waiting = [sidecar.get('/platform/app-ticket'), sidecar.put('/platform/lobby', {})];
  await platform.record.seen({ path: 'ClientRequestEncryptedAppTicket' });
  await platform.record.seen({ path: 'ClientMMSCreateLobby' });
  platformClock.advance(10_000);
  for (const answer of await Promise.all(waiting)) {
    expect(answer.statusCode).toBe(503);
    expect(answer.json().detail).toContain('within 10 s');
  }
  answerAgain();
  clock.advance(5_000);
  expect((await sidecar.get('/platform/app-ticket')).statusCode).toBe(200);
  expect((await sidecar.put('/platform/lobby', {})).json()).toMatchObject({ state: 'open' });
});

it('stops at once, whatever it waits for', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  await world.saveSession('ann');
  const sidecar = await LocalSidecar.start({
    platform,
    directory,
    platformClock: new ManualClock(new Date()),
  });
  await sidecar.until('logged-in');
  platform.silence();
  const waiting = sidecar.get('/platform/app-ticket');
  await platform.record.seen({ path: 'ClientRequestEncryptedAppTicket' });
  const stopped = sidecar.sidecar.stop();
  expect((await waiting).statusCode).toBe(503);
  platform.dropConnections();
  await stopped;
});
