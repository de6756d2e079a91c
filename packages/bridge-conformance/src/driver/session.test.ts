import { PassThrough } from 'node:stream';
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
