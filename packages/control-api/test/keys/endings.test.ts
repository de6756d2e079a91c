import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import type { Caller } from '../../src/keys/caller.ts';
import type { NewKey } from '../../src/keys/key-changes.ts';
import type { KeyRing } from '../../src/keys/key-ring.ts';
import { openedRing } from './stage/opened-ring.ts';

const dayMs = 24 * 60 * 60 * 1_000;

async function openStage() {
  const directory = temporaryDirectory();
  const clock = new ManualClock();
  const opened = await openedRing(directory.path, clock);
  const { ring } = opened;
  const ended: Caller[] = [];
  ring.onEnded((caller) => ended.push(caller));
  return {
    clock,
    ring,
    ended,
    /** Who brings a new key. */
    make: (key: Partial<NewKey>) => made(ring, key),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

async function made(ring: KeyRing, key: Partial<NewKey>): Promise<Caller> {
  const { secret = '' } = await ring.create({ name: 'bot', scopes: ['read'], ...key }, undefined);
  const caller = ring.callerOf(secret);
  if (caller === undefined) throw new Error('a new key opens nothing');
  return caller;
}

it('the end of a key is told at its instant, however far it was away', async () => {
  await using stage = await openStage();
  const { clock, ended } = stage;
  const caller = await stage.make({ expires: { afterMs: 60 * dayMs } });
  clock.advance(60 * dayMs - 1);
  expect(ended).toEqual([]);
  clock.advance(1);
  expect(ended).toEqual([caller]);
  expect(ended[0]).toBe(caller);
});

it('a key that is revoked is told of before the answer', async () => {
  await using stage = await openStage();
  const caller = await stage.make({});
  const answered = stage.ring.revoke({ name: 'bot' }, undefined).then(() => [...stage.ended]);
  expect(await answered).toEqual([caller]);
});

it('where the wall clock was set forth, the key is refused at once and told of within a minute', async () => {
  await using stage = await openStage();
  const { clock, ring, ended } = stage;
  const { secret = '' } = await ring.create(
    { name: 'used', scopes: ['read'], expires: { afterMs: dayMs } },
    undefined,
  );
  const unused = await stage.make({ name: 'unused', expires: { afterMs: 2 * dayMs } });
  clock.setWallClock(dayMs);
  expect(ring.callerOf(secret)).toBeUndefined();
  clock.setWallClock(dayMs);
  clock.advance(60_000);
  expect(ended.map(({ name }) => name)).toEqual(['used', 'unused']);
  expect(ended.at(-1)).toBe(unused);
});

it.each(['is set back within a minute', 'is set back before a restart'])(
  'a key that had expired by a wrong clock works again once that clock %s',
  async (how) => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const wrongMs = 40 * dayMs;
    const opened = await openedRing(directory.path, clock);
    const ended: Caller[] = [];
    opened.ring.onEnded((caller) => ended.push(caller));
    const expires = { afterMs: 30 * dayMs };
    const { secret = '' } = await opened.ring.create({ name: 'bot', scopes: ['read'], expires }, undefined);
    const before = opened.ring.callerOf(secret);
    clock.advance(settledMs);
    clock.setWallClock(wrongMs);
    clock.advance(60_000);
    expect([ended, opened.ring.callerOf(secret)]).toEqual([[before], undefined]);
    expect(opened.ring.refusalOf(secret)).toMatchObject({ code: 'key-ended' });
    expect(opened.ring.list({ ended: true })).toMatchObject([{ state: 'expired' }]);
    clock.setWallClock(-wrongMs);
    clock.advance(60_000);
    const isRestarted = how.includes('restart');
    if (isRestarted) await opened[Symbol.asyncDispose]();
    await using last = isRestarted ? await openedRing(directory.path, clock) : opened;
    expect(last.ring.callerOf(secret)).toMatchObject({ name: 'bot' });
    expect(last.ring.list({ ended: true })).toMatchObject([{ state: 'active' }]);
    const { secret: next = '' } = await last.ring.rotate({ name: 'bot' }, 0, undefined);
    expect(last.ring.refusalOf(secret).message).toContain('was rotated');
    clock.advance(30 * dayMs);
    expect(last.ring.callerOf(next)).toBeUndefined();
  },
);

it.each([
  ['its name', () => ({ name: 'Leaked' })],
  ['its id', (keyId: string | undefined) => ({ id: keyId ?? '' })],
])('a key that has expired by a wrong clock can be revoked by %s, and stays so', async (_by, which) => {
  using directory = temporaryDirectory();
  const clock = new ManualClock();
  const opened = await openedRing(directory.path, clock);
  const expires = { afterMs: dayMs };
  const { secret = '' } = await opened.ring.create({ name: 'leaked', scopes: ['read'], expires }, undefined);
  const { keyId } = opened.ring.callerOf(secret) ?? {};
  clock.setWallClock(40 * dayMs);
  clock.advance(60_000);
  await opened.ring.revoke(which(keyId), undefined);
  clock.setWallClock(-40 * dayMs);
  clock.advance(60_000);
  await opened[Symbol.asyncDispose]();
  await using last = await openedRing(directory.path, clock);
  for (const { ring } of [opened, last]) {
    expect(ring.callerOf(secret)).toBeUndefined();
    expect(ring.refusalOf(secret)).toMatchObject({ message: expect.stringContaining('is revoked') });
  }
  await expect(last.ring.revoke({ name: 'leaked' }, undefined)).rejects.toMatchObject({
    code: 'key-not-found',
  });
});

it('a key that has expired by a clock that has gone on for ten minutes has ended for good', async () => {
  await using stage = await openStage();
  const { clock, ring } = stage;
  await stage.make({ expires: { afterMs: dayMs } });
  clock.setWallClock(dayMs);
  clock.advance(60_000 + settledMs);
  clock.setWallClock(-dayMs);
  clock.advance(60_000);
  expect(ring.list({ ended: true })).toMatchObject([{ name: 'bot', state: 'expired' }]);
});

it('a key that had expired by a wrong clock stays so where another has its name by the time that is set right', async () => {
  await using stage = await openStage();
  const { clock, ring } = stage;
  const before = await stage.make({ expires: { afterMs: dayMs } });
  clock.setWallClock(dayMs);
  clock.advance(60_000);
  const after = await stage.make({});
  clock.setWallClock(-dayMs);
  clock.advance(60_000);
  expect(ring.list({ ended: true })).toMatchObject([
    { id: after.keyId, state: 'active' },
    { id: before.keyId, state: 'expired' },
  ]);
});

it('a rotation tells of the secret that ended, and of no other', async () => {
  await using stage = await openStage();
  const { clock, ring, ended } = stage;
  const before = await stage.make({});
  const { secret = '' } = await ring.rotate({ name: 'bot' }, 5, undefined);
  const after = ring.callerOf(secret);
  expect(after).not.toBe(before);
  clock.advance(4_999);
  expect(ended).toEqual([]);
  clock.advance(1);
  expect(ended).toHaveLength(1);
  expect(ended[0]).toBe(before);
  await ring.rotate({ name: 'bot' }, 0, undefined);
  expect(ended.at(-1)).toBe(after);
});

it('a rotation promises the secret before for no longer than the key lasts', async () => {
  await using stage = await openStage();
  const { clock, ring } = stage;
  await stage.make({ expires: { afterMs: dayMs } });
  const end = new Date(clock.date().getTime() + dayMs).toISOString();
  await ring.rotate({ name: 'bot' }, (2 * dayMs) / 1_000, undefined);
  expect(ring.list({ ended: false })).toMatchObject([{ expiresAt: end, oldSecretUntil: end }]);
});

it('who does not listen any more is told nothing', async () => {
  await using stage = await openStage();
  const told: Caller[] = [];
  const end = stage.ring.onEnded((caller) => told.push(caller));
  await stage.make({});
  end();
  await stage.ring.revoke({ name: 'bot' }, undefined);
  expect([told, stage.ended]).toEqual([[], [expect.objectContaining({ name: 'bot' })]]);
});

it('what is revoked or rotated as the grace of an earlier rotation ends stays so over a restart', async () => {
  using directory = temporaryDirectory();
  const clock = new ManualClock();
  let isGraceOver = false;
  const opened = await openedRing(directory.path, clock, () => {
    if (isGraceOver) clock.advance(5_000);
  });
  const secrets: Record<string, string> = {};
  for (const name of ['revoked', 'rotated']) {
    isGraceOver = false;
    await opened.ring.create({ name, scopes: ['read'] }, undefined);
    const { secret: leaked = '' } = await opened.ring.rotate({ name }, 60, undefined);
    clock.advance(55_000);
    secrets[`${name}, before`] = leaked;
    isGraceOver = true;
    if (name === 'revoked') await opened.ring.revoke({ name }, undefined);
    else secrets['now'] = (await opened.ring.rotate({ name }, 0, undefined)).secret ?? '';
  }
  await opened[Symbol.asyncDispose]();
  await using again = await openedRing(directory.path, clock);
  const opens = Object.entries(secrets).filter(([, secret]) => again.ring.callerOf(secret) !== undefined);
  expect(opens.map(([name]) => name)).toEqual(['now']);
});
