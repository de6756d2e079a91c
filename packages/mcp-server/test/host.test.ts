import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { freePort } from '@steward/testing/free-port';
import { posingServer } from '@steward/testing/hostile/posing-server';
import { inherited, programFile } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { describe, expect, it } from 'vitest';
import { Assistant } from './stage/assistant.ts';
import { farmName, farmStage, testKey } from './stage/farm-stage.ts';

const main = programFile('packages/mcp-server/src/main.ts');

/** The server as a host starts it that speaks no protocol. */
function started(url: string, key?: string) {
  const server = spawn(process.execPath, [main], {
    env: { ...inherited(), STEWARD_URL: url, ...(key === undefined ? {} : { STEWARD_KEY: key }) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  server.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
  // It may be gone before all of it is written.
  server.stdin.on('error', () => {});
  return { server, log, ended: once(server, 'close') };
}

describe('a host', () => {
  it('that sends a message without an end is left, so that it starts another', async () => {
    const { server, log, ended } = started('http://127.0.0.1:9');
    server.stdin.write('x'.repeat(11 * 1024 * 1024));
    expect(await ended).toEqual([1, null]);
    expect(log.join('')).toContain('exceeded');
  });

  it('that sends what is no message is told so in one line, and is answered all the same', async () => {
    const { server, log, ended } = started('http://127.0.0.1:9');
    server.stdin.write('no JSON\n[]\n{"jsonrpc":"1.0"}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const [answer] = await once(server.stdout.setEncoding('utf8'), 'data');
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: {} });
    server.stdin.end();
    expect(await ended).toEqual([0, null]);
    const lines = log.join('').split('\n').filter(Boolean);
    for (const line of lines) expect(line).toMatch(/^steward-mcp: /);
    expect(lines.filter((line) => line.includes('the host sent an invalid message'))).toHaveLength(2);
  });

  it('that floods it with calls is answered to the last, and the farm goes on', async () => {
    await using stage = await farmStage();
    let [open, most] = [0, 0];
    stage.api.app.server.on('connection', (connection) => {
      open += 1;
      most = Math.max(most, open);
      connection.once('close', () => {
        open -= 1;
      });
    });
    const { server, log, ended } = started(stage.url, testKey);
    const clientInfo = { name: 'flood', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const calls = Array.from({ length: count({ small: 400, long: 5_000 }) }, (_, index) => ({
      id: index + 1,
      method: 'tools/call',
      params: { name: index % 2 === 0 ? 'get_status' : 'no_such_tool', arguments: {} },
    }));
    const messages = [
      { id: 0, method: 'initialize', params: hello },
      { method: 'notifications/initialized' },
      ...calls,
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    server.stdin.write(messages.join(''));
    const answers: { id: number; result?: { isError?: boolean } }[] = [];
    for await (const line of createInterface(server.stdout)) {
      const answer = JSON.parse(line);
      if (answer.id !== undefined && answer.method === undefined) answers.push(answer);
      if (answers.length > calls.length) break;
    }
    expect(new Set(answers.map(({ id }) => id)).size).toBe(calls.length + 1);
    const asked = answers.filter(({ id }) => id % 2 === 1);
    const refused = asked.filter(({ result }) => result === undefined || result.isError === true);
    // Each in its own words, so that a failure says why.
    expect(refused.slice(0, 3)).toEqual([]);
    expect(asked).toHaveLength(calls.length / 2);
    // The farm has others to answer, and closes connections beyond its most. One that has just been used may not be free for the next call yet.
    expect(most).toBeLessThanOrEqual(150);
    expect((await fetch(`${stage.url}/health`)).status).toBe(200);
    server.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(log.join('')).not.toContain('Warning');
  });

  it('that ends while the farm hangs leaves nothing running', async () => {
    const hanging = createServer().listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const { server, ended } = started(`http://127.0.0.1:${port}`);
    await once(hanging, 'connection');
    server.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    expect(await ended).toEqual([0, null]);
    hanging.close();
  });
});

describe('a farm that is away', () => {
  it('is told soon, and nothing of a deed that was never asked for is in doubt', async () => {
    const environment = { STEWARD_URL: `http://127.0.0.1:${await freePort()}`, STEWARD_KEY: testKey };
    await using assistant = await Assistant.open({ environment });
    const began = performance.now();
    for (const [name, given] of [
      ['set_time', { value: 1200 }],
      ['kick_player', { playerId: '5', confirmFarm: farmName }],
    ] as const) {
      const { structuredContent } = await assistant.call(name, given);
      expect(structuredContent).toMatchObject({
        code: 'network',
        applied: false,
        remedy: expect.stringContaining('STEWARD_URL'),
      });
    }
    await expect(assistant.read('farm://status')).rejects.toThrow('cannot be reached');
    // With the tries of a call itself each of them would take as long as both may.
    expect(performance.now() - began).toBeLessThan(14_000);
    expect(await assistant.read('farm://events')).toEqual({
      notHeard: expect.stringContaining('cannot be reached'),
      events: [],
    });
  });
});

it.each(['{}', 'null', '[]', '{"name":"x","scopes":"read"}'])(
  'a server that answers %s is none of ours, and ends nothing',
  async (answer) => {
    await using others = await posingServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    await using assistant = await Assistant.open({ isHere: true, environment: { STEWARD_URL: others.url } });
    expect(await assistant.call('get_status')).toMatchObject({
      isError: true,
      structuredContent: { code: 'not-steward', remedy: expect.stringContaining('STEWARD_URL') },
    });
  },
);

it('what a key has heard is not told on once it has ended', async () => {
  await using stage = await farmStage({ leftKeys: [{ name: 'bot', scopes: ['read'] }] });
  const assistant = await stage.assistant({ STEWARD_KEY: stage.api.secretOf('bot') });
  await assistant.subscribe('farm://events');
  stage.api.bridge.events.append({ type: 'farm.saved', data: { saveGeneration: 1 } });
  await assistant.isTold('farm://events');
  expect(await assistant.read('farm://events')).toMatchObject({
    events: expect.arrayContaining([expect.objectContaining({ type: 'farm.saved' })]),
  });
  await stage.api.ask('DELETE', '/keys?name=bot');
  await assistant.logs(/events do not arrive/);
  expect(await assistant.read('farm://events')).toEqual({
    notHeard: expect.stringContaining('revoked'),
    events: [],
  });
});

it('a list that is longer than an answer is read to its end', async () => {
  await using stage = await farmStage();
  const { farm } = stage.api;
  const [player] = farm.state.players;
  if (player === undefined) throw new Error('nobody plays');
  const ids = Array.from({ length: 120 }, (_, index) => String(1_000 + index));
  farm.state = { ...farm.state, players: ids.map((id) => ({ ...player, id })) };
  farm.tell();
  const assistant = await stage.assistantHere();
  const seen: string[] = [];
  for (let left = ids.length; left > 0; ) {
    const { structuredContent } = await assistant.call('list_players', { skip: seen.length });
    const { players, playersLeftOut = 0 } = structuredContent as {
      readonly players: readonly { readonly id: string }[];
      readonly playersLeftOut?: number;
    };
    seen.push(...players.map(({ id }) => id));
    left = playersLeftOut;
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

it('a list that ends at its limit says that there may be more, and one that ends before it does not', async () => {
  await using stage = await farmStage();
  const assistant = await stage.assistantHere({ MCP_TOOLSETS: 'machine' });
  for (let times = 0; times < 21; times += 1) await assistant.call('set_rendering', { fps: 5 });
  const audit = async (given: Record<string, unknown>) => {
    const asked = { action: 'setRendering', ...given };
    const { structuredContent } = await assistant.call('get_audit', asked);
    const { lines, ...more } = structuredContent as {
      readonly lines: readonly { readonly number: number }[];
      readonly mayHaveMore?: boolean;
    };
    return { numbers: lines.map(({ number }) => number), more };
  };
  const { numbers, more } = await audit({});
  expect({ shown: numbers.length, more }).toEqual({ shown: 20, more: { mayHaveMore: true } });
  const rest = await audit({ before: numbers.at(-1) });
  expect(rest).toEqual({ numbers: [expect.any(Number)], more: {} });
  expect(await audit({ limit: 50 })).toEqual({ numbers: [...numbers, ...rest.numbers], more: {} });
});

it('the log of the game is read from its newest line to its oldest', async () => {
  await using stage = await farmStage();
  const { output } = stage.api.mode;
  if (output === undefined) throw new Error('nothing is printed');
  const texts = Array.from({ length: 120 }, (_, index) => `line ${index}`);
  for (const text of texts) output.said('stdout', text);
  const assistant = await stage.assistantHere({ MCP_TOOLSETS: 'machine' });
  const log = async (skip: number) => {
    const { structuredContent } = await assistant.call('get_game_log', { skip });
    const { lines, linesLeftOut } = structuredContent as {
      readonly lines: readonly { readonly saidByPlayer: { readonly text: string } }[];
      readonly linesLeftOut?: number;
    };
    return { texts: lines.map(({ saidByPlayer }) => saidByPlayer.text), linesLeftOut };
  };
  expect(await log(0)).toEqual({ texts: texts.slice(-50), linesLeftOut: 71 });
  expect(await log(50)).toEqual({ texts: texts.slice(20, 70), linesLeftOut: 21 });
  expect(await log(100)).toEqual({ texts: ['The farm is open', ...texts.slice(0, 20)] });
  expect(await log(200)).toEqual({ texts: [] });
});

it('samples reach to now although a list is cut: their steps are hours unless it is told', async () => {
  await using stage = await farmStage();
  const assistant = await stage.assistantHere({ MCP_TOOLSETS: 'machine' });
  const { structuredContent } = await assistant.call('get_samples');
  expect(structuredContent).toMatchObject({ step: 'hour', players: { length: 24 } });
  expect(structuredContent).not.toHaveProperty('playersLeftOut');
  const minutes = await assistant.call('get_samples', { step: 'minute' });
  expect(minutes.structuredContent).toMatchObject({ step: 'minute', playersLeftOut: expect.any(Number) });
});

it('what is refused was not done, and says so', async () => {
  await using stage = await farmStage();
  const assistant = await stage.assistantHere({ MCP_TOOLSETS: 'players,saves' });
  for (const [name, given] of [
    ['kick_player', { playerId: 'Ann', confirmFarm: farmName }],
    ['kick_player', { playerId: '5', confirmFarm: 'Riverbend' }],
    ['kick_player', { playerId: '5', confirmFarm: farmName }],
    ['create_backup', {}],
  ] as const)
    expect(await assistant.call(name, given)).toMatchObject({
      isError: true,
      structuredContent: { applied: false },
    });
  const { structuredContent } = await assistant.call('load_farm', {
    id: 'Nowhere_1',
    confirmFarm: farmName,
  });
  expect(JSON.stringify(structuredContent)).not.toMatch(/(GET|POST|DELETE) \//);
});

it('what leaves the farm is marked so', async () => {
  await using stage = await farmStage();
  const tools = await (await stage.assistantHere({ MCP_TOOLSETS: 'all' })).tools();
  const leaving = tools.filter(({ annotations }) => annotations?.openWorldHint);
  expect(leaving.map(({ name }) => name)).toEqual(['test_webhook']);
});
