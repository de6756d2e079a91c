import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import {
  type Answer,
  type IncomingRequest,
  JsonRpcPeer,
  type PeerLimits,
  type PeerParts,
  trustingLimits,
} from './peer.ts';

const patient: PeerLimits = { ...trustingLimits, frameBytes: 1_000 };

/** A peer, and the other end of its stream. */
function opened(given: Partial<PeerLimits> = {}, parts: Partial<PeerParts> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const clock = new ManualClock();
  const requests: IncomingRequest[] = [];
  const notifications: unknown[] = [];
  const closings: string[] = [];
  const gaveUp: ('us' | 'them')[] = [];
  const warnings: unknown[] = [];
  const peer = new JsonRpcPeer(
    { input, output, close: () => output.end() },
    {
      other: 'the other',
      limits: { ...patient, ...given },
      clock,
      log: { warn: (facts, text) => warnings.push([facts, text]) },
      handlers: {
        request: (request) => requests.push(request),
        notification: (method, params) => notifications.push([method, params]),
        closed: (why, by) => {
          closings.push(why);
          gaveUp.push(by);
        },
      },
      ...parts,
    },
  );
  const hear = (...lines: readonly unknown[]) => {
    for (const line of lines)
      input.write(
        `${typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...Object(line) })}\n`,
      );
  };
  const said = (): unknown[] =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return {
    peer,
    input,
    output,
    clock,
    hear,
    said,
    requests,
    notifications,
    closings,
    gaveUp,
    warnings,
  };
}

const answersOf = (peer: JsonRpcPeer) => {
  const answers: Answer[] = [];
  const ask = (deadlineMs?: number) =>
    peer.request('look', { at: 'hen' }, (answer) => answers.push(answer), deadlineMs);
  return { answers, ask };
};

it('settles each request with what the other side answers to it, once', () => {
  const { peer, hear, said } = opened();
  const { answers, ask } = answersOf(peer);
  ask();
  ask(1_000);
  expect(said()).toEqual([
    { jsonrpc: '2.0', id: '1', method: 'look', params: { at: 'hen' } },
    { jsonrpc: '2.0', id: '2', method: 'look', params: { at: 'hen' } },
  ]);
  hear(
    { id: '2', error: { code: -32603, message: 'no hen' } },
    { id: '1', result: 7 },
    { id: '1', result: 8 },
  );
  expect(answers).toEqual([
    { kind: 'error', code: -32603, message: 'no hen' },
    { kind: 'result', result: 7 },
  ]);
});

it('sets free who asks: by a deadline, by the end of the stream, and at once where it has ended', () => {
  const { peer, clock, hear, closings } = opened();
  const { answers, ask } = answersOf(peer);
  ask(1_000);
  ask();
  clock.advance(1_000);
  hear({ id: '1', result: 'late' });
  peer.close('enough');
  peer.close('twice');
  ask(1_000)();
  expect(answers.map((answer) => answer.kind === 'unanswered' && answer.message)).toEqual([
    'look was not answered within 1000 ms',
    'enough',
    'the connection is closed',
  ]);
  expect(closings).toEqual(['enough']);
});

it('ignores the answer to a request that is forgotten, and its deadline', () => {
  const { peer, clock, hear } = opened();
  const { answers, ask } = answersOf(peer);
  ask(1_000)();
  ask()();
  hear({ id: '1', result: 7 }, { id: '2', result: 7 });
  clock.advance(1_000);
  peer.close('enough');
  expect(answers).toEqual([]);
});

it('hands on requests and notifications, and writes what they are answered with, whenever', () => {
  const { peer, hear, said, requests, notifications } = opened();
  hear(
    { id: '1', method: 'claim', params: { command: '7' } },
    { method: 'tick' },
    { id: '2', method: 'sing' },
  );
  expect(requests).toMatchObject([
    { method: 'claim', params: { command: '7' } },
    { method: 'sing', params: {} },
  ]);
  expect(notifications).toEqual([['tick', {}]]);
  requests[1]?.refuse('methodNotFound', 'nobody sings');
  peer.tell('tick', { count: 1 });
  requests[0]?.reply({ granted: true });
  expect(said()).toEqual([
    { jsonrpc: '2.0', id: '2', error: { code: -32601, message: 'nobody sings' } },
    { jsonrpc: '2.0', method: 'tick', params: { count: 1 } },
    { jsonrpc: '2.0', id: '1', result: { granted: true } },
  ]);
});

it('takes no more requests in hand than the limit, but for those that do not count', () => {
  const { handlers, requests } = counting();
  const { hear, said } = opened({ requestsInHand: 1 }, { handlers });
  hear({ id: '1', method: 'ask' }, { id: '2', method: 'claim' }, { id: '3', method: 'ask' });
  expect(said()).toMatchObject([
    { id: '3', error: { code: -32005, message: expect.stringContaining('more than 1') } },
  ]);
  requests[0]?.reply({});
  hear({ id: '4', method: 'ask' }, { method: 'nobody takes it' });
  expect(requests.map(({ method }) => method)).toEqual(['ask', 'claim', 'ask']);
});

function counting() {
  const requests: IncomingRequest[] = [];
  const handlers = {
    request: (request: IncomingRequest) => requests.push(request),
    counts: (method: string) => method !== 'claim',
    closed: () => {},
  };
  return { handlers, requests };
}

it('answers a request once: a second answer goes nowhere, and one that cannot be written leaves room for another', () => {
  const { handlers, requests } = counting();
  const { hear, said } = opened({ requestsInHand: 1 }, { handlers });
  hear({ id: '1', method: 'ask' });
  expect(() => requests[0]?.reply({ size: 7n })).toThrow(TypeError);
  requests[0]?.refuse('internalError', 'it cannot be said');
  requests[0]?.reply({});
  expect(said()).toMatchObject([{ id: '1', error: { message: 'it cannot be said' } }]);
  hear({ id: '2', method: 'ask' }, { id: '3', method: 'ask' });
  expect(requests).toHaveLength(2);
  expect(said()).toMatchObject([{ id: '3', error: { code: -32005 } }]);
});

it('answers lines that it cannot read, and gives up at the limit', () => {
  const { hear, input, said, closings, gaveUp, warnings } = opened({ badLines: 3 }, { from: 'the stage' });
  hear('nonsense', '[]');
  input.write(Buffer.from([0xff, 0x0a]));
  expect(said()).toMatchObject([
    { id: null, error: { code: -32700, message: 'the line is not a JSON document' } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32700, message: 'the line is not UTF-8' } },
  ]);
  expect(warnings[0]).toEqual([{ from: 'the stage' }, 'a line from the other is not a JSON document']);
  expect(closings).toEqual(['3 lines could not be read']);
  expect(gaveUp).toEqual(['us']);
});

it('is told that the other side could not read a line', () => {
  const error = { code: -32700, message: 'what?' };
  const { hear, said, warnings } = opened();
  hear({ id: null, error });
  expect(warnings).toEqual([[{ error }, 'the other could not read a line']]);
  expect(said()).toEqual([]);
});

it('ends the connection at a line over the limit, and hears nothing after it', () => {
  const { hear, said, closings, notifications } = opened();
  hear('x'.repeat(1_001), { method: 'tick' });
  hear({ method: 'tick' });
  expect(said()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  expect(closings).toEqual(['a line is longer than 1000 bytes']);
  expect(notifications).toEqual([]);
});

it('lets prints that share the stream by, where they may', () => {
  const stray: string[] = [];
  const { hear, said, notifications } = opened({}, { strayLine: (line) => stray.push(line) });
  const prints = ['Loading hens …', '{', '{"hens":3}', '[{"jsonrpc":"2.0"}]'];
  hear(...prints, '  {"jsonrpc":"2.0","method":"tick"}', '{"jsonrpc":"2.0","method":"ti', '{"jsonrpc":1}');
  expect(stray).toEqual(prints);
  expect(notifications).toHaveLength(1);
  expect(said()).toMatchObject([{ error: { code: -32700 } }, { error: { code: -32600 } }]);
});

it('lets prints by that are in another encoding than its messages', () => {
  const stray: string[] = [];
  const { input, said } = opened({}, { strayLine: (line) => stray.push(line) });
  input.write(Buffer.from('Jos\xe9\n', 'latin1'));
  expect([stray, said()]).toEqual([['Jos\ufffd'], []]);
  input.write(Buffer.from('{"jsonrpc":"2.0","method":"Jos\xe9"}\n', 'latin1'));
  expect(stray).toHaveLength(1);
  expect(said()).toMatchObject([{ error: { code: -32700 } }]);
});

it('takes what the stream ended in the middle of for a print where it may be one, and for no message', async () => {
  for (const [text, prints] of [
    ['no more hens', ['no more hens']],
    ['{"hens":0}', ['{"hens":0}']],
    ['{"jsonrpc":"2.0","method":"tick"}', []],
  ] as const) {
    const stray: string[] = [];
    const { input, said, notifications, closings } = opened({}, { strayLine: (line) => stray.push(line) });
    input.end(text);
    await once(input, 'end');
    expect(stray).toEqual(prints);
    expect([notifications, said()]).toEqual([[], []]);
    expect(closings).toEqual(['the other closed the connection']);
  }
  const plain = opened();
  plain.input.end('no more hens');
  await once(plain.input, 'end');
  expect([plain.said(), plain.closings]).toEqual([[], ['the other closed the connection']]);
});

it('takes nothing for a print once it has given up the stream, nor what that ended in the middle of', async () => {
  const stray: string[] = [];
  const { peer, input } = opened({}, { strayLine: (line) => stray.push(line) });
  input.write('half a pri');
  peer.close('enough');
  input.end('nt');
  await once(input, 'end');
  expect(stray).toEqual([]);
});

it('leaves a flood in the stream until the second is over', () => {
  const { clock, hear, input, notifications } = opened({ linesPerSecond: 2 });
  const flood = { method: 'tick' };
  hear(flood, flood, flood);
  expect(input.isPaused()).toBe(true);
  clock.advance(1_000);
  expect(input.isPaused()).toBe(false);
  clock.advance(1_000);
  hear(flood, flood);
  expect(input.isPaused()).toBe(false);
  expect(notifications).toHaveLength(5);
});

it('drops whoever does not read', () => {
  const { peer, closings, gaveUp } = opened({ unreadBytes: 40_000 });
  while (closings.length === 0) peer.tell('tick', { lots: 'x'.repeat(10_000) });
  expect(closings).toEqual(['the other does not read']);
  expect(gaveUp).toEqual(['us']);
  peer.tell('tick', { after: 'the end' });
});

it.each([
  ['the other closed the connection', ({ input }: ReturnType<typeof opened>) => input.end()],
  ['the connection was lost', ({ input }: ReturnType<typeof opened>) => input.destroy()],
  ['the connection failed: cut', ({ input }: ReturnType<typeof opened>) => input.destroy(new Error('cut'))],
  [
    'the other cannot be written to: cut',
    ({ output }: ReturnType<typeof opened>) => output.destroy(new Error('cut')),
  ],
])('says that %s', async (why, end) => {
  const stage = opened();
  end(stage);
  await new Promise((resolve) => setImmediate(resolve));
  expect(stage.closings).toEqual([why]);
  expect(stage.gaveUp).toEqual(['them']);
});
