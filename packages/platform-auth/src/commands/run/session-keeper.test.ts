import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, vi } from 'vitest';
import { stableSessionMs } from '../../platform/backoff.ts';
import { type Failure, PlatformFailure } from '../../platform/failure.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import { CommandFailure } from './command-failure.ts';
import { SessionKeeper } from './session-keeper.ts';

const outage: Failure = { class: 'transient', reason: 'The platform cannot be reached' };
const kicked: Failure = { class: 'transient', reason: 'The session has ended' };

function session() {
  const { promise: ended, resolve: end } = Promise.withResolvers<Failure>();
  const close = vi.fn(async () => {});
  return { session: { ended, close } as unknown as PlatformSession, end: (why = kicked) => end(why), close };
}

type Try = PlatformSession | Failure | CommandFailure;

/** A session that has just been lost, and what the tries to log in again come to, one after the other. */
function lost(...tries: readonly Try[]) {
  return lostTo(kicked, ...tries);
}

function lostTo(why: Failure, ...tries: readonly Try[]) {
  const first = session();
  const clock = new ManualClock();
  const logIn = vi.fn(async () => {
    const next = tries[logIn.mock.calls.length - 1];
    if (next === undefined) throw new Error('nobody expected this try');
    if (next instanceof CommandFailure) throw next;
    if ('reason' in next) throw new PlatformFailure(next);
    return { session: next };
  });
  const keeper = new SessionKeeper({ session: first.session }, { logIn, clock, random: () => 0 });
  first.end(why);
  const tried = (times: number) => vi.waitFor(() => expect(logIn).toHaveBeenCalledTimes(times));
  return { keeper, clock, logIn, tried };
}

it('logs in again when the session is lost', async () => {
  const second = session();
  const { keeper, logIn } = lost(second.session);
  await vi.waitUntil(() => keeper.session === second.session);
  expect(logIn).toHaveBeenCalledTimes(1);
});

it('tries again, later and later, while the platform cannot be reached', async () => {
  const second = session();
  const { keeper, clock, logIn, tried } = lost(outage, outage, outage, second.session);
  let times = 1;
  for (const ms of [1_000, 2_000, 4_000]) {
    await tried(times);
    expect(keeper.session).toBeUndefined();
    await turn();
    clock.advance(ms - 1);
    expect(logIn).toHaveBeenCalledTimes(times);
    clock.advance(1);
    times += 1;
  }
  await vi.waitUntil(() => keeper.session === second.session);
});

it('waits longer and longer for sessions that die young, and not for one that follows a stable one', async () => {
  const sessions = [session(), session(), session(), session()];
  const { keeper, clock, logIn, tried } = lost(...sessions.map((each) => each.session));
  let times = 1;
  const dies = async (livedMs: number, waitsMs: number) => {
    const { session: current, end } = sessions[times - 1] ?? session();
    await tried(times);
    await vi.waitUntil(() => keeper.session === current);
    clock.advance(livedMs);
    end();
    await turn();
    if (waitsMs > 0) {
      clock.advance(waitsMs - 1);
      expect(logIn).toHaveBeenCalledTimes(times);
      clock.advance(1);
    }
    times += 1;
    await tried(times);
  };
  await dies(0, 1_000);
  await dies(stableSessionMs - 1, 2_000);
  await dies(stableSessionMs, 0);
});

const lasting: readonly Failure[] = [
  { class: 'dead-credential', reason: 'The token is revoked' },
  { class: 'rate-limited', reason: 'Too many logins' },
  { class: 'replaced', reason: 'Another program logged in' },
];

it.each(lasting)('does not fight for a session that ended for longer: $class', async (failure) => {
  const { keeper, clock, logIn } = lostTo(failure, outage);
  await vi.waitFor(() => expect(() => keeper.session).toThrow(failure.reason));
  clock.advance(24 * 60 * 60_000);
  expect(logIn).not.toHaveBeenCalled();
});

it.each(lasting)('says why none comes back: $class', async (failure) => {
  const { keeper, clock, logIn } = lost(failure);
  await vi.waitFor(() => expect(() => keeper.session).toThrow(failure.reason));
  clock.advance(24 * 60 * 60_000);
  expect(logIn).toHaveBeenCalledTimes(1);
});

it('gives up, with what to do, once nothing is left to log in with', async () => {
  const allRefused = new CommandFailure('login-refused', 'Every credential was refused');
  const { keeper, clock, logIn } = lost(allRefused);
  await vi.waitFor(() => expect(() => keeper.session).toThrow(allRefused));
  clock.advance(24 * 60 * 60_000);
  expect(logIn).toHaveBeenCalledTimes(1);
});

it('tries no more once the command is over', async () => {
  const { keeper, clock, logIn, tried } = lost(outage);
  await tried(1);
  await keeper.close();
  clock.advance(60_000);
  expect(logIn).toHaveBeenCalledTimes(1);
});

it('leaves no session behind that came when the command was over', async () => {
  const second = session();
  const { keeper, tried } = lost(second.session);
  await tried(1);
  await keeper.close();
  await vi.waitFor(() => expect(second.close).toHaveBeenCalledOnce());
});
