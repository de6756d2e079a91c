import { PassThrough } from 'node:stream';
import { frameLimitBytes } from '@steward/shared/bridge/protocol';
import { expect, it } from 'vitest';
import { usualPatience } from './patience.ts';
import { Session } from './session.ts';

it.each(['save', 'newFarm'])('waits for the outcome of %s as long as the page gives it', async (command) => {
  const input = new PassThrough();
  const streams = { input, output: new PassThrough(), end: () => {}, strayLines: false };
  const session = new Session(streams, { ...usualPatience, comesMs: 1 });
  const id = session.send(command, { command: '1001' });
  const outcome = session.outcome(id, command).catch(String);
  // Whatever was to come within a millisecond is late by now.
  await session.watch.holds(() => false, 10);
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { outcome: 'void' } })}\n`);
  expect(await outcome).toEqual({ outcome: 'void' });
});

it.each([
  { over: 'standard output', strayLines: true, prints: [] },
  { over: 'a socket', strayLines: false, prints: ['a line is not UTF-8: caf\ufffd'] },
])('finds over $over what is not UTF-8, and a line that is too long', async ({ strayLines, prints }) => {
  const input = new PassThrough();
  const streams = { input, output: new PassThrough(), end: () => {}, strayLines };
  const session = new Session(streams, usualPatience);
  input.write(Buffer.from('caf\xe9\n{"caf\xe9":1}\n', 'latin1'));
  input.write(`${'x'.repeat(frameLimitBytes + 1)}\n`);
  input.write('{"jsonrpc":"2.0","method":"tick","params":{"count":1}}\n');
  await session.until(() => session.tickCounts.length > 0, 'the last line did not come');
  expect(session.malformed).toEqual([
    ...prints,
    'a line is not UTF-8: {"caf\ufffd":1}',
    'a line is longer than 1048576 bytes',
  ]);
});

it('finds a message behind a print that does not end its line', async () => {
  const input = new PassThrough();
  const streams = { input, output: new PassThrough(), end: () => {}, strayLines: true };
  const session = new Session(streams, usualPatience);
  const tick = (count: number) => JSON.stringify({ method: 'tick', jsonrpc: '2.0', params: { count } });
  input.write(`Saving... ${tick(1)}\n${tick(2)}\n`);
  await session.until(() => session.tickCounts.length > 0, 'the last line did not come');
  expect(session.tickCounts).toEqual([2]);
  expect(session.malformed).toEqual([`a line is not a JSON document: Saving... ${tick(1)}`]);
  // A mod may print what it sends, and sends its hello then.
  expect(session.badHello).toBeUndefined();
});
