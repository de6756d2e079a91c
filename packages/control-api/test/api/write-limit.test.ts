import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeLimit } from '../../src/http/guards/limits.ts';
import { settled } from '../game/stage/stage.ts';
import { openApi, testKey } from './stage/open-api.ts';

/** The allowance that an answer tells, as numbers. */
function allowance({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  return ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers[name]));
}

it('takes 120 writes a minute from one address, and any number of reads', async () => {
  await using api = await openApi({ writesPerMinute: 120 });
  for (let i = 0; i < 120; i += 1) await api.ask('DELETE', '/farmhands');
  const answer = await api.ask('POST', '/time?value=700');
  expect([answer.statusCode, answer.headers['retry-after'], answer.exact['retry']]).toEqual([
    429,
    '60',
    true,
  ]);
  expect(api.farm.heard).toEqual([]);
  expect((await api.ask('GET', '/status')).statusCode).toBe(200);
  expect((await api.ask('POST', '/time?value=700', { remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
});

it('takes the writes of the owner also where another key has used up all writes from the same address', async () => {
  await using api = await openApi({ key: testKey, writesPerMinute: writeLimit.attempts });
  const revoke = (name: string) => api.ask('DELETE', `/keys?name=${name}`);
  for (const name of ['first', 'bot']) await api.ask('POST', `/keys?name=${name}&scopes=chat`);
  const { exact } = await api.ask('POST', '/keys/rotate?name=bot');
  const key = String(exact['secret']);
  const say = () => api.ask('POST', '/chat?author=bot&message=hello', { key });
  for (let i = 0; i < writeLimit.attempts; i += 1) await say();
  expect((await say()).statusCode).toBe(429);
  const revoked = await revoke('bot');
  expect([revoked.statusCode, ...allowance(revoked)]).toEqual([200, 120, 116, 60]);
  // The owner's are limited, too.
  for (let left = 116; left > 0; left -= 1) await api.ask('DELETE', '/farmhands');
  expect((await revoke('first')).statusCode).toBe(429);
});

it('tells with each write how many more an address may send and when it may send all again, before it is refused', async () => {
  await using api = await openApi({ writesPerMinute: 3 });
  const write = (pause: number) => {
    api.clock.advance(pause);
    return api.ask('DELETE', '/farmhands', { headers: { 'idempotency-key': 'one' } });
  };
  expect(allowance(await write(0))).toEqual([3, 2, 60]);
  expect(allowance(await write(20_500))).toEqual([3, 1, 40]);
  expect(allowance(await write(500))).toEqual([3, 0, 39]);
  const refused = await write(0);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '39']);
  expect(allowance(refused)).toEqual([3, 0, 39]);
  expect(allowance(await write(39_000))).toEqual([3, 2, 60]);
});

it('what an address has used and what it is told to have left are the limit, and the reset is when it may write again', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(40_000), { minLength: 1, maxLength: 12 }),
      async (limit, pauses) => {
        await using api = await openApi({ writesPerMinute: limit });
        const write = () => api.ask('DELETE', '/farmhands');
        let reset = 0;
        let used = 0;
        for (const pause of pauses) {
          api.clock.advance(pause);
          reset -= pause;
          if (reset <= 0) used = 0;
          const answer = await write();
          const [told, left = Number.NaN, seconds = Number.NaN] = allowance(answer);
          const isRefused = answer.statusCode === 429;
          if (!isRefused) used += 1;
          expect([told, left + used]).toEqual([limit, limit]);
          // A refusal tells it in whole seconds, which is not quite when the first one was let through.
          if (used === 1 && !isRefused) reset = seconds * 1_000;
          expect(isRefused ? Number(answer.headers['retry-after']) : seconds).toBe(Math.ceil(reset / 1_000));
        }
        // A second before that moment it is still refused, at it no longer.
        const [, left = 0] = allowance(await write());
        for (let more = left; more > 0; more -= 1) await write();
        const last = await write();
        const [, , seconds = 0] = allowance(last);
        expect(last.statusCode).toBe(429);
        api.clock.advance((seconds - 1) * 1_000);
        expect((await write()).statusCode).toBe(429);
        api.clock.advance(1_000);
        expect((await write()).statusCode).not.toBe(429);
      },
    ),
    { numRuns: count({ small: 10, long: 200 }) },
  ));

it('tells nothing of an allowance where nothing is counted: reads, wrong keys, what is not there', async () => {
  await using api = await openApi({ key: 'k3y' });
  const answers = [
    await api.ask('GET', '/status'),
    await api.ask('POST', '/time?value=700', { key: 'wrong' }),
    await api.ask('POST', '/nothing'),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 404]);
  for (const { headers } of answers)
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

it('takes writes again after a minute, though the wall clock was set back by hours meanwhile', async () => {
  await using api = await openApi({ writesPerMinute: 1 });
  const write = async () => (await api.ask('POST', '/rendering?fps=5')).statusCode;
  expect([await write(), await write()]).toEqual([200, 429]);
  api.clock.setWallClock(-6 * 60 * 60 * 1_000);
  api.clock.advance(60_000);
  api.farm.tick();
  await settled();
  expect(await write()).toBe(200);
});
