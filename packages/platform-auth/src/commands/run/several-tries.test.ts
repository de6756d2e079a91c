import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, vi } from 'vitest';
import { type Failure, PlatformFailure } from '../../platform/failure.ts';
import { failureOfEresult } from '../../platform/failure-table.ts';
import { NoTicket } from '../../tickets/app-tickets.ts';
import { severalTries } from './several-tries.ts';

const busy = new PlatformFailure(failureOfEresult(20));

function arrangement(work: () => Promise<string>) {
  const clock = new ManualClock();
  const abort = new AbortController();
  const tried = vi.fn(work);
  const say = vi.fn((_text: string) => {});
  const parts = { clock, say, interruption: { signal: abort.signal } };
  const result = severalTries(tried, parts).catch((error: unknown) => error);
  /** When the next wait has been told of, lets it pass. */
  const pass = async (count: number): Promise<void> => {
    await vi.waitUntil(() => say.mock.calls.length === count);
    clock.advance(30_000 / 4);
  };
  return { tried, say, clock, abort, result, pass };
}

it('does again what passes, and tells of each wait', async () => {
  let left = 2;
  const { say, pass, result } = arrangement(async () => {
    left -= 1;
    if (left >= 0) throw busy;
    return 'done';
  });
  await pass(1);
  await pass(2);
  expect(await result).toBe('done');
  expect(say.mock.calls.flat()).toEqual([
    expect.stringMatching(/ServiceUnavailable\)\. Trying again in 1 s$/),
    expect.stringMatching(/Trying again in 2 s$/),
  ]);
});

it('gives up after four tries, with what the last one met', async () => {
  const { tried, pass, result } = arrangement(async () => Promise.reject(busy));
  for (const count of [1, 2, 3]) await pass(count);
  expect(await result).toBe(busy);
  expect(tried).toHaveBeenCalledTimes(4);
});

it('begins no try after half a minute', async () => {
  const slow = arrangement(async () => {
    await null;
    slow.clock.advance(30_000);
    throw busy;
  });
  expect(await slow.result).toBe(busy);
  expect(slow.tried).toHaveBeenCalledTimes(1);
});

it('asks for a ticket again no sooner than it makes sense', async () => {
  const { say, abort, result } = arrangement(async () =>
    Promise.reject(new NoTicket(failureOfEresult(2), false, 5_000)),
  );
  await vi.waitUntil(() => say.mock.calls.length === 1);
  expect(say.mock.lastCall?.[0]).toContain('Trying again in 5 s');
  abort.abort(new Error('Ctrl-C'));
  expect(await result).toEqual(new Error('Ctrl-C'));
});

const untrusted: Failure = { class: 'transient', reason: 'No', remedy: 'Give its certificate to Node' };
it.each([
  ['too many logins', new PlatformFailure(failureOfEresult(84))],
  ['a session that was taken over', new PlatformFailure(failureOfEresult(34))],
  ['a refused credential', new PlatformFailure(failureOfEresult(5))],
  ['what somebody has to fix', new PlatformFailure(untrusted)],
  ['an error of its own', new TypeError('x is undefined')],
])('does not try again after %s', async (_what, error) => {
  const { tried, result } = arrangement(async () => Promise.reject(error));
  expect(await result).toBe(error);
  expect(tried).toHaveBeenCalledTimes(1);
});
