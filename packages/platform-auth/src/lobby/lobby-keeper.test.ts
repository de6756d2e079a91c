import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { Contention, contentionLimits } from '../platform/contention.ts';
import type { KeptContention } from '../platform/contention-record.ts';
import { PlatformFailure } from '../platform/failure.ts';
import type { PlatformSession } from '../platform/platform-session.ts';
import { LobbyKeeper } from './lobby-keeper.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** What outlives a farm's service. */
interface Disk {
  kept?: KeptContention | undefined;
}

interface Farm {
  readonly keeper: LobbyKeeper;
  readonly contention: Contention;
}

/** What the platform keeps of one account: the lobby that was opened last. */
class Account {
  platformId = '1';
  readonly clock = new ManualClock();
  lobby = 0;
  #made = 0;
  /** How many answers to come are too late, though what was asked is done. */
  lateAnswers = 0;
  isRefusing = false;
  /** When it was asked for a lobby and refused it. */
  readonly refusedAt: number[] = [];
  /** Whether it takes changes of a lobby that is open. */
  isTakingChanges = true;

  farm(disk: Disk = {}): Farm {
    const now = () => this.platformId;
    const session: Partial<PlatformSession> = {
      get platformId() {
        return now();
      },
      createLobby: async () => {
        if (this.isRefusing) {
          this.refusedAt.push(this.clock.now());
          throw new PlatformFailure({ class: 'rate-limited', reason: 'Too many lobbies' });
        }
        const lobby = ++this.#made;
        if (this.lateAnswers > 0) {
          this.lateAnswers -= 1;
          // Done when the next one has been, and so in its place.
          this.clock.after(8 * secondMs, () => {
            this.lobby = lobby;
          });
          throw new PlatformFailure({ class: 'transient', reason: 'It did not answer', noAnswer: true });
        }
        this.lobby = lobby;
        return String(lobby);
      },
      updateLobby: async (_app, id) => {
        if (this.isTakingChanges) return id === String(this.lobby);
        throw new PlatformFailure({ class: 'rate-limited', reason: 'Too many changes' });
      },
    };
    const { clock } = this;
    const record = {
      read: async () => disk.kept,
      write(kept: KeptContention | undefined) {
        disk.kept = kept;
      },
      settled: async () => {},
    };
    const contention = new Contention({ clock, changed: () => {}, record });
    const own = session as PlatformSession;
    return {
      contention,
      keeper: new LobbyKeeper({ session: () => own, clock, contention, opened: () => {} }),
    };
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += secondMs) {
      this.clock.advance(secondMs);
      await new Promise(setImmediate);
    }
  }
}

it.each([1, 7, 15, 29, 30, 31, 44, 59, 60])(
  'both know of each other within two minutes, %i s apart',
  async (s) => {
    const account = new Account();
    const one = account.farm();
    await one.keeper.put({});
    await account.pass(s * secondMs);
    const other = account.farm();
    await other.keeper.put({});
    await account.pass(2 * minuteMs);
    expect(one.contention.contended).toBeDefined();
    expect(other.contention.contended).toBeDefined();
  },
);

it.each([5, 25, 50, 80, 125, 200, 400, 1_000, 3_000, 5_000])(
  'both know of each other within two minutes of the restart of one, %i s after the other began',
  async (s) => {
    const account = new Account();
    const one = account.farm();
    const disk: Disk = {};
    const killed = account.farm(disk);
    await one.keeper.put({});
    await killed.keeper.put({});
    await account.pass(s * secondMs);
    await killed.keeper.stop();
    const other = account.farm(disk);
    await other.contention.restore();
    await other.keeper.put({});
    await account.pass(2 * minuteMs);
    expect(one.contention.contended).toBeDefined();
    expect(other.contention.contended).toBeDefined();
  },
);

it('is noticed by one that remembers nothing, however often it was restarted before it could have', async () => {
  const account = new Account();
  const [one, known] = [account.farm(), account.farm()];
  await one.keeper.put({});
  await known.keeper.put({});
  await account.pass(4 * minuteMs);
  await known.keeper.stop();
  for (let restart = 0; restart < 8; restart += 1) {
    const killed = account.farm();
    await killed.keeper.put({});
    await account.pass(15 * secondMs);
    await killed.keeper.stop();
  }
  const other = account.farm();
  await other.keeper.put({});
  await account.pass(contentionLimits.longestPauseMs + 2 * minuteMs);
  expect(other.contention.contended).toBeDefined();
});

it('lets the other one have the lobby for longer each time, up to a quarter of an hour', async () => {
  const account = new Account();
  const [one, other] = [account.farm(), account.farm()];
  await one.keeper.put({});
  await other.keeper.put({});
  const taken: number[] = [];
  let last = account.lobby;
  for (let s = 0; s < 2 * 60 * 60; s += 1) {
    await account.pass(secondMs);
    if (account.lobby !== last) taken.push(s);
    last = account.lobby;
  }
  const pauses = taken.slice(1).map((at, index) => Math.round((at - (taken[index] ?? 0)) / 60));
  expect(pauses.filter((minutes) => minutes >= 2).slice(0, 3)).toEqual([2, 2, 4]);
  for (const minutes of pauses.slice(-4)) expect([15, 16]).toContain(minutes);
});

it('asks a platform that refuses a lobby later and later, up to a quarter of an hour, and soon again once it was open', async () => {
  const account = new Account();
  const { keeper } = account.farm();
  account.isRefusing = true;
  await keeper.put({});
  await account.pass(50 * minuteMs);
  const pauses = account.refusedAt.slice(1).map((at, index) => at - (account.refusedAt[index] ?? 0));
  expect(pauses.map((ms) => ms / minuteMs)).toEqual([1, 2, 4, 8, 15, 15]);
  account.isRefusing = false;
  await account.pass(15 * minuteMs);
  expect(keeper.answer.state).toBe('open');
  account.isRefusing = true;
  account.lobby = 0;
  await account.pass(2 * minuteMs);
  const [first = 0, second = 0] = account.refusedAt.slice(-2);
  expect(second - first).toBe(minuteMs);
});

it('asks at once for another account, which nobody has refused anything', async () => {
  const account = new Account();
  const { keeper } = account.farm();
  account.isRefusing = true;
  await keeper.put({});
  await account.pass(10 * minuteMs);
  account.isRefusing = false;
  account.platformId = '2';
  await keeper.keep();
  expect(keeper.answer).toMatchObject({ state: 'open' });
  expect(keeper.answer).not.toHaveProperty('next_retry');
});

it('tries a change of an open lobby again soon that the platform refuses: it has refused no lobby', async () => {
  const account = new Account();
  const { keeper } = account.farm();
  await keeper.put({});
  account.isTakingChanges = false;
  for (let asked = 0; asked < 5; asked += 1) await keeper.put({});
  expect(keeper.answer).toMatchObject({ state: 'open', reason: 'Too many changes' });
  expect(keeper.answer).not.toHaveProperty('next_retry');
  account.isTakingChanges = true;
  await account.pass(5 * secondMs);
  expect(keeper.answer).not.toHaveProperty('reason');
});

it('takes nobody’s presence from a slow platform that does late what was asked', async () => {
  const account = new Account();
  const { keeper, contention } = account.farm();
  for (let round = 0; round < 6; round += 1) {
    account.lateAnswers = 1;
    account.lobby = 0;
    await keeper.put({});
    await account.pass(20 * secondMs);
  }
  await account.pass(2 * minuteMs);
  expect(keeper.answer.state).toBe('open');
  expect(contention.contended).toBeUndefined();
});
