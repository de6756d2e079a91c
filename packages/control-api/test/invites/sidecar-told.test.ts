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
