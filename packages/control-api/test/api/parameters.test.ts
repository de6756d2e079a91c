import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openApi } from './stage/open-api.ts';

/** For all that is refused, and so changes nothing: to begin takes a stage longer than to answer. */
const shared = await openApi();
afterAll(() => shared.stop());

const notIntegers = [
  ['nothing', ''],
  ['a plus sign', '%2B5'],
  ['an exponent', '1e3'],
  ['hexadecimal digits', '0x10'],
  ['a fraction', '700.0'],
  ['a space before it', '%20700'],
  ['Arabic digits', '%D9%A7%D9%A0%D9%A0'],
  ['full-width digits', '%EF%BC%97%EF%BC%90%EF%BC%90'],
  ['a separator', '1_000'],
  ['a word', 'NaN'],
  ['broken percent-encoding', '%zz'],
  ['broken UTF-8', '%ff'],
  ['a null character', '700%00'],
] as const;

const routes = [
  ['POST', '/time', 'value'],
  ['POST', '/rendering', 'fps'],
  ['POST', '/settings', 'maxPlayers'],
  ['POST', '/roles/admin', 'playerId'],
  ['DELETE', '/farmhands', 'playerId'],
] as const;

describe.each(routes)('%s %s?%s', (method, path, name) => {
  it.each(notIntegers)('with %s is a 400 that names it', async (_what, text) => {
    const answer = await shared.ask(method, `${path}?${name}=${text}`);
    expect(answer.exact).toMatchObject({ status: 400, code: 'invalid-parameter' });
    expect(answer.exact['detail']).toMatch(new RegExp(`^${name} `));
    expect(shared.farm.heard).toEqual([]);
  });

  it('twice, an unknown one beside it, or a broken name, is a 400 that names it', async () => {
    const twice = await shared.ask(method, `${path}?${name}=1000&${name}=1000`);
    expect(twice.exact).toMatchObject({
      code: 'invalid-parameter',
      detail: `${name} is given 2 times: give it once`,
    });
    for (const other of ['unknown', name.toUpperCase(), '%zz', '__proto__', 'constructor']) {
      const answer = await shared.ask(method, `${path}?${name}=1000&${other}=1`);
      expect(answer.exact).toMatchObject({ status: 400, code: 'unknown-parameter' });
      expect(answer.exact['detail']).toContain(`"${other}"`);
    }
  });
});

it.each([
  ['POST', '/time'],
  ['POST', '/rendering'],
  ['POST', '/settings'],
] as const)('%s %s without its parameter is missing-parameter', async (method, path) => {
  expect((await shared.ask(method, path)).exact).toMatchObject({ status: 400, code: 'missing-parameter' });
});

it.each([
  ['/time?value=', 599, 2601],
  ['/rendering?fps=', -1, 2147483648],
  ['/settings?maxPlayers=', 0, 101],
  ['/settings?networkBroadcastPeriod=', 0, 61],
])('%s%i and %i are out of range', async (url, low, high) => {
  for (const value of [low, high, '9'.repeat(30), '9'.repeat(500)])
    expect((await shared.ask('POST', `${url}${value}`)).exact).toMatchObject({
      status: 400,
      code: 'invalid-parameter',
    });
});

it.each(['9223372036854775808', '-9223372036854775809', '18446744073709551616'])(
  'playerId=%s is beyond 64 bits',
  async (id) => {
    const answer = await shared.ask('DELETE', `/farmhands?playerId=${id}`);
    expect(answer.exact).toMatchObject({ status: 400, code: 'invalid-parameter' });
    expect(answer.exact['detail']).toContain('64-bit');
  },
);

it.each([
  ['POST', '/roles/admin'],
  ['DELETE', '/farmhands'],
] as const)('%s %s wants exactly one of name and playerId', async (method, path) => {
  for (const query of ['', '?name=Bob&playerId=7']) {
    const answer = await shared.ask(method, path + query);
    expect(answer.exact).toMatchObject({ status: 400, code: 'conflicting-parameters' });
    expect(answer.exact['detail']).toMatch(/^Exactly one of name and playerId must be given; /);
  }
});

it('takes names as people write them', async () => {
  await using api = await openApi();
  api.farm.state.farmhands.push({
    id: '9',
    name: 'Zoë & Co=1',
    isCustomized: true,
    isOnline: false,
    isAdmin: false,
  });
  expect((await api.ask('POST', '/roles/admin?name=zo%C3%AB+%26+co%3D1')).exact).toMatchObject({
    playerIdStr: '9',
  });
  expect((await api.ask('POST', `/roles/admin?name=${'x'.repeat(201)}`)).statusCode).toBe(400);
  expect((await api.ask('POST', '/roles/admin?name=a%07b')).statusCode).toBe(400);
});

it('sends the game exactly the id that was asked for, or nothing', async () => {
  await using api = await openApi();
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), async (id) => {
      const fits = BigInt.asIntN(64, id) === id;
      const answer = await api.ask('POST', `/roles/admin?playerId=${id}`);
      expect(answer.statusCode === 400).toBe(!fits);
    }),
  );
});

const nothingToSee = [
  ['a space', '%20'],
  ['a no-break space', '%C2%A0'],
  ['zero-width spaces', '%E2%80%8B%E2%80%8B'],
  ['a zero-width joiner and a space', '%E2%80%8D+'],
  ['a soft hyphen', '%C2%AD'],
  ['a Hangul filler', '%E3%85%A4'],
  ['an empty Braille cell', '%E2%A0%80'],
  ['a mark of the writing direction', '%E2%80%AE'],
  ['a variation selector', '%EF%B8%8F'],
] as const;

it.each([
  ['POST', '/roles/admin', 'name'],
  ['DELETE', '/farmhands', 'name'],
  ['POST', '/farmhands/release', 'name'],
  ['POST', '/farmhands/rebind', 'name'],
  ['POST', '/settings', 'activeLobbyLayout'],
] as const)('%s %s?%s with nothing to be seen is a 400 that names it', async (method, path, name) => {
  const rest = path.endsWith('rebind') ? '&identity=1' : '';
  for (const [what, text] of nothingToSee) {
    const { exact } = await shared.ask(method, `${path}?${name}=${text}${rest}`);
    expect(exact, what).toMatchObject({ status: 400, code: 'invalid-parameter' });
    expect(exact['detail']).toMatch(new RegExp(`^${name} `));
  }
  expect(shared.farm.heard).toEqual([]);
});
