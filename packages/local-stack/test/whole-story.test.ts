import { expect, it } from 'vitest';
import { type ChaosOptions, ChaosWorld } from './chaos/chaos-world.ts';
import { doors, wordsOf } from './chaos/doors.ts';
import { join } from './chaos/join.ts';
import { Observer } from './chaos/observer.ts';
import { paste, remedyFor } from './chaos/operator.ts';
import { ownerOf } from './chaos/owners-model.ts';
import { identityOf } from './chaos/players.ts';
import { runToItsEnd } from './chaos/run-to-its-end.ts';

const limitMs = 120_000;

it.for(['listen', 'spawn'] as const)(
  'a fresh system, over %s: setup, a code, players by every door, and each finds their own farmhand again',
  { timeout: limitMs },
  (mode, context) => runToItsEnd(context, (signal) => story({ mode, seed: 1, signal })),
);

async function story(options: ChaosOptions): Promise<void> {
  await using world = await ChaosWorld.create(options);
  await world.setUpAndStart();
  await using observer = new Observer(world);
  await Promise.race([played(world, observer), world.failure]);
}

async function played(world: ChaosWorld, observer: Observer): Promise<void> {
  const codes = await observer.back();
  const { orders } = world;

  for (const [index, door] of doors.entries()) {
    const name = `Player${index}`;
    const words = wordsOf(door, codes);
    const first = await join(orders, name, words);
    expect(first.arrival?.connectionId, `${door.name}: ${first.said}`).toMatch(new RegExp(`^${door.prefix}`));
    const id = first.arrival?.farmhandId ?? '';
    await observer.made(id);
    await orders.order('leave', name);

    const again = await join(orders, name, words, door.prefix === 'L_' ? id : undefined);
    expect(again.arrival?.farmhandId, `${door.name}: ${again.said}`).toBe(id);
    await orders.order('leave', name);
  }

  // The same account through another door is a stranger, until an operator says otherwise.
  const [, byCode, byNetwork] = doors;
  const [own = ''] = observer.eye.owners.of(
    ownerOf((await join(orders, 'Player1', wordsOf(byCode, codes))).arrival?.connectionId ?? ''),
  );
  await orders.order('leave', 'Player1');
  const refused = await join(orders, 'Player1', wordsOf(byNetwork, codes), own);
  expect(refused.said).toContain(' left: ');
  const asNetwork = identityOf({ name: 'Player1', door: byNetwork });
  const line = await remedyFor(world, own, asNetwork.replace('network ', ''));
  observer.eye.owners.undecided(own);
  expect(await paste(world, line)).toMatchObject({
    success: true,
    playerIdStr: own,
    before: { door: 'platform', origin: 'claim' },
    after: { door: 'network', origin: 'operator' },
  });
  const rebound = await join(orders, 'Player1', wordsOf(byNetwork, codes));
  expect(rebound.arrival?.farmhandId, rebound.said).toBe(own);
  observer.eye.owners.bound(own, asNetwork);
  await orders.order('leave', 'Player1');
  expect((await join(orders, 'Player1', wordsOf(byCode, codes), own)).said).toContain(' left: ');
  expect(await orders.order('save')).toMatch(/^saved as generation/);
  await observer.nextLook();
  observer.check();
}
