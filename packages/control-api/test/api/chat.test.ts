import { describe, expect, it } from 'vitest';
import { handedOver } from './stage/handed-over.ts';
import { openApi } from './stage/open-api.ts';
import { sharedApi } from './stage/shared-api.ts';

const said = encodeURIComponent;

describe('POST /chat says one line in the game', () => {
  it('and tells that it was shown', async () => {
    await using api = await openApi();
    const { exact, statusCode } = await api.ask('POST', '/chat?author=Robin&message=good+morning');
    expect(statusCode).toBe(200);
    expect(exact).toEqual({
      success: true,
      message: 'The game has shown it',
      operationId: '1001',
      status: 'delivered',
    });
    expect(api.farm.said).toEqual([{ author: 'Robin', message: 'good morning' }]);
  });

  it.each([
    ['author=%20Ro%00bin%0A&message=one%0D%0Atwo', 'Robin', 'one two'],
    ['message=hello', 'Anonymous', 'hello'],
    ['author=&message=hello', 'Anonymous', 'hello'],
    ['author=%07&message=hello', 'Anonymous', 'hello'],
    ['author=Robin&message=!ban+everybody', 'Robin', '!ban everybody'],
    ['author=Robin&message=/kick+everybody', 'Robin', '/kick everybody'],
    [`author=${said('🌾'.repeat(40))}&message=hi`, `${'🌾'.repeat(31)}…`, 'hi'],
  ])('cleaned as over /ws: %s', async (query, author, message) => {
    await using api = await openApi();
    expect((await api.ask('POST', `/chat?${query}`)).statusCode).toBe(200);
    expect(api.farm.said).toEqual([{ author, message }]);
  });

  it('and where it was cut, of what length', async () => {
    await using api = await openApi();
    const { exact } = await api.ask('POST', `/chat?message=${'x'.repeat(500)}`);
    expect(exact).toMatchObject({ status: 'delivered', truncated: true, length: 450 });
    expect(api.farm.said).toEqual([{ author: 'Anonymous', message: `${'x'.repeat(449)}…` }]);
  });

  it('once for each key, as every write', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k-1' };
    const first = await api.ask('POST', '/chat?author=Robin&message=hello', { headers });
    api.clock.advance(1);
    const again = await api.ask('POST', '/chat?author=Robin&message=hello', { headers });
    expect(again.body).toBe(first.body);
    expect((await api.ask('GET', '/metrics')).body).toContain(
      'steward_chat_sent_total{status="delivered"} 1\n',
    );
    const other = await api.ask('POST', '/chat?author=Robin&message=goodbye', { headers });
    expect(other.exact).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
    expect(api.farm.said).toHaveLength(1);
  });

  it('counts for what became of it, and as a write of its address', async () => {
    await using api = await openApi({ writesPerMinute: 2 });
    await api.ask('POST', '/chat?message=hello');
    api.farm.mood = { refuses: 'saving', message: 'the game is saving' };
    await api.ask('POST', '/chat?message=hello');
    expect((await api.ask('POST', '/chat?message=hello')).statusCode).toBe(429);
    const { body } = await api.ask('GET', '/metrics');
    expect(body).toContain('steward_chat_sent_total{status="delivered"} 1\n');
    expect(body).toContain('steward_chat_sent_total{status="refused"} 1\n');
  });
});

describe('a line that is not shown is a problem, and none of it reaches the game', () => {
  const refusing = sharedApi();

  it.each([
    ['', 'missing-parameter', /^message is missing/],
    ['author=Robin', 'missing-parameter', /^message is missing/],
    ['message=', 'invalid-parameter', /^message /],
    ['message=+%00%0A', 'invalid-parameter', /^message /],
    ['message=%E2%80%8B', 'invalid-parameter', /^message /],
    ['author=%E2%80%8B&message=hello', 'invalid-parameter', /^author /],
    ['message=hello&id=1', 'unknown-parameter', /^"id"/],
  ])('%s: %s', async (query, code, detail) => {
    const api = await refusing();
    const { exact } = await api.ask('POST', `/chat?${query}`);
    expect(exact).toMatchObject({ status: 400, code, detail: expect.stringMatching(detail) });
    expect(api.farm.heard).toEqual([]);
  });

  it('while there is no game, or one that has no chat from outside', async () => {
    await using alone = await openApi({ game: false });
    const away = await alone.ask('POST', '/chat?message=hello');
    expect(away.exact).toMatchObject({ status: 503, code: 'game-unavailable', retry: true });
    expect(away.headers['retry-after']).toBe('5');
    await using other = await openApi({ capabilities: ['setTime'] });
    expect((await other.ask('POST', '/chat?message=hello')).exact).toMatchObject({
      status: 501,
      code: 'not-supported-by-game',
    });
  });

  it('while as many wait as may', async () => {
    await using api = await openApi({ chatLimits: { sendsInHand: 1 } });
    api.farm.mood = 'claims-and-is-silent';
    const first = api.ask('POST', '/chat?message=one');
    await handedOver(api.farm);
    const second = await api.ask('POST', '/chat?message=two');
    expect(second.exact).toMatchObject({ status: 503, code: 'game-unavailable', retry: true });
    for (const goOn of api.farm.held) goOn();
    expect((await first).statusCode).toBe(200);
  });
});

describe('what the game says becomes a status, as of every command', () => {
  it.each([
    ['saving', 503, 'game-unavailable'],
    ['out-of-range', 400, 'invalid-parameter'],
    ['failed', 502, 'command-failed'],
  ])('%s: %i %s', async (refuses, status, code) => {
    await using api = await openApi();
    api.farm.mood = { refuses, message: `because it is ${refuses}` };
    const { exact } = await api.ask('POST', '/chat?message=hello');
    expect(exact).toMatchObject({ status, code, operationId: '1001' });
  });

  it.each([
    ['silent', 'command-void', false],
    ['claims-and-is-silent', 'outcome-unknown', null],
  ] as const)('%s: %s', async (mood, code, applied) => {
    await using api = await openApi();
    api.farm.mood = mood;
    const asking = api.ask('POST', '/chat?message=hello');
    await handedOver(api.farm);
    api.clock.advance(10_000);
    expect((await asking).exact).toMatchObject({ status: 504, code, applied, operationId: '1001' });
  });
});
