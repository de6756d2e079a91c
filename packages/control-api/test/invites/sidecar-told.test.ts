import { expect, it } from 'vitest';
import { inviteLimits } from '../../src/invites/limits.ts';
import { ModelWorld } from './stage/model-world.ts';

it('tells once of a session that is lost and of its return, and of files that go missing, however often it looks', async () => {
  const world = new ModelWorld(() => 0.5);
  const { game, sidecar } = world;
  const told: unknown[] = [];
  game.events.follow(({ event }) => event.type.startsWith('sidecar.') && told.push(event));
  await world.pass(20_000);
  told.length = 0;
  sidecar.platformIsUp = false;
  sidecar.sessionLost();
  sidecar.files = { state: 'missing', reason: 'The marker is gone', remedy: 'Nothing to do' };
  await world.pass(60_000);
  sidecar.reach = 'refuses';
  await world.pass(10_000);
  sidecar.heal();
  await world.pass(30_000);
  expect(told).toEqual([
    {
      type: 'sidecar.session',
      data: { state: 'retrying', reason: 'The connection was lost', remedy: 'Wait' },
    },
    { type: 'sidecar.download', data: sidecar.files },
    { type: 'sidecar.session', data: { state: 'logged-in', reason: 'Logged in' } },
  ]);
  const looks = sidecar.asked.filter(({ what }) => what === 'GET /download').map(({ at }) => at);
  for (const [index, at] of looks.slice(1).entries())
    expect(at - (looks[index] ?? 0)).toBeGreaterThanOrEqual(inviteLimits.filesMs);
  world.invites.stop();
});

it('tells once of an outage of the network, however often the game tries to sign in with a new ticket', async () => {
  const world = new ModelWorld(() => 0.5);
  const { game, sidecar, invites } = world;
  const signIn = () => invites.status.steps.find(({ step }) => step === 'network-sign-in');
  game.start();
  await world.pass(60_000);
  expect(signIn()?.state).toBe('ok');
  game.outage(true);
  game.loseLobby();
  await world.pass(1_000);
  const lost = signIn();
  expect(lost?.state).toBe('lost');
  const told: unknown[] = [];
  game.events.follow(({ event }) => event.type === 'invites.step' && told.push(event));
  const tickets = () => sidecar.asked.filter(({ what }) => what.includes('app-ticket')).length;
  const before = tickets();
  await world.pass(100_000);
  expect(tickets() - before).toBeGreaterThan(2);
  expect(told).toEqual([]);
  expect(signIn()).toEqual(lost);
  invites.stop();
});

const shared = expect.stringContaining('Another farm uses this sidecar');
const lobbyLost = {
  type: 'invites.step',
  data: expect.objectContaining({
    step: 'platform-lobby',
    to: 'lost',
    reason: shared,
    remedy: expect.stringContaining('PLATFORM_AUTH_URL'),
  }),
};

it('tells both farms within seconds that they share a sidecar, and each leaves the lobby to the other for longer each time', async () => {
  const one = new ModelWorld(() => 0.5);
  const other = new ModelWorld(() => 0.5, one);
  const told: unknown[][] = [one, other].map(({ game }) => {
    const events: unknown[] = [];
    game.events.follow(({ event }) => events.push(event));
    return events;
  });
  one.game.start();
  await one.pass(20_000);
  // Each of its lives has another id, and so none has that of the other game.
  other.game.start();
  other.game.die();
  other.game.start();
  await one.pass(20_000);
  for (const events of told) expect(events).toContainEqual(lobbyLost);
  await one.pass(100_000);
  const puts = one.sidecar.asked.filter(({ what }) => what === 'PUT /platform/lobby');
  expect(puts.length).toBeLessThanOrEqual(16);
  other.invites.stop();
  await one.pass(150_000);
  expect(one.isPlatformCodeGood).toBe(true);
  expect(one.invites.status.codes.platform).toBeDefined();
  one.invites.stop();
});

it('links its lobby to none that another farm has taken over, and takes that back after a while', async () => {
  const world = new ModelWorld(() => 0.5);
  const { game, sidecar, invites } = world;
  const lobby = () => invites.status.steps.find(({ step }) => step === 'platform-lobby');
  game.start();
  await world.pass(20_000);
  expect(lobby()?.state).toBe('ok');
  sidecar.anotherAsks('1');
  await world.pass(3_000);
  expect(lobby()?.state).toBe('ok');
  sidecar.anotherAsks('1');
  await world.pass(4_000);
  expect(lobby()).toMatchObject({ state: 'lost', reason: shared });
  expect(game.truth.lobby).toBeDefined();
  expect(game.truth.lobby?.platformLobbyId).toBeUndefined();
  await world.pass(8_000);
  expect(lobby()?.state).toBe('ok');
  expect(world.isPlatformCodeGood).toBe(true);
  invites.stop();
});
