import { describe, expect, it } from 'vitest';
import {
  answers,
  cut,
  page,
  problem,
  scriptedWorld,
  silence,
  whileTimePasses,
} from './stage/scripted-world.ts';

const sent = { success: true, message: 'The game has shown it', operationId: '7', status: 'delivered' };

describe('what is said', () => {
  it('is asked for with its author, under a key of its own', async () => {
    const { farm, asked } = scriptedWorld([answers(sent)]);
    expect(await farm.chat.say('Robin', 'good morning')).toEqual({ status: 'delivered', operationId: '7' });
    await farm.chat.say('', 'again', { idempotencyKey: 'mine' });
    expect(asked.map(({ method, url }) => `${method} ${new URL(url).search}`)).toEqual([
      'POST ?author=Robin&message=good+morning',
      'POST ?author=&message=again',
    ]);
    expect(asked[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(asked[1]?.headers['idempotency-key']).toBe('mine');
  });

  it('is told to be cut where it was', async () => {
    const { farm } = scriptedWorld([answers({ ...sent, truncated: true, length: 450 })]);
    expect(await farm.chat.say('Robin', 'a'.repeat(500))).toMatchObject({ truncated: true, length: 450 });
  });

  it('fits into an address also where it is far too long, in any script', async () => {
    const { farm, asked } = scriptedWorld([answers(sent), answers(sent), answers(sent)]);
    const long = ['😀'.repeat(2_000), '農 \n'.repeat(2_000), 'д'.repeat(501)];
    for (const text of long) await farm.chat.say('農'.repeat(200), text);
    const said = asked.map(({ url }) => new URL(url));
    for (const { href } of said) expect(href.length).toBeLessThan(8_000);
    expect(said.map(({ searchParams }) => searchParams.get('message'))).toEqual([
      '😀'.repeat(500),
      '農 '.repeat(250),
      'д'.repeat(500),
    ]);
  });

  it.each([
    ['refused', 'it is too long for a proxy', page(414)],
    ['refused', 'nothing to show', problem(400, 'invalid-parameter')],
    ['refused', 'the game is away', problem(503, 'game-unavailable')],
    ['refused', 'the game refused it', problem(502, 'command-failed', { applied: false, operationId: '7' })],
    ['refused', 'this game cannot', problem(501, 'not-supported-by-game')],
    ['unknown', 'the game is silent', problem(504, 'outcome-unknown', { applied: null, operationId: '7' })],
    ['unknown', 'the server made a mistake', problem(500, 'internal-error')],
    ['unknown', 'no answer came', cut],
    ['unknown', 'it took too long', silence],
    ['unknown', 'a proxy answered', page(502)],
  ])('is %s where %s', async (status, _where, fate) => {
    const { farm, clock } = scriptedWorld([fate]);
    const receipt = await whileTimePasses(farm.chat.say('Robin', 'good morning'), clock);
    expect(receipt).toMatchObject({ status, reason: expect.any(String) });
  });

  it.each([
    ['unauthorized', 401],
    ['key-ended', 401],
    ['insufficient-scope', 403],
  ])('is an error where the key is %s: no other line would fare better', async (code, status) => {
    const { farm } = scriptedWorld([problem(status, code)]);
    await expect(farm.chat.say('Robin', 'good morning')).rejects.toMatchObject({
      name: 'StewardError',
      code,
    });
  });

  it('is an error where its signal ends it, or it cannot be sent as it is', async () => {
    const { farm } = scriptedWorld([silence]);
    const signal = AbortSignal.abort();
    await expect(farm.chat.say('Robin', 'good morning', { signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    await expect(farm.chat.say('Robin', 'hi', { idempotencyKey: 'a b' })).rejects.toThrow(TypeError);
  });
});
