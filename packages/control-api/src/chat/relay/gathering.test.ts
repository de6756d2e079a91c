import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Gathering } from './gathering.ts';

const limits = { gatherMs: 1, gatherBytes: 10 };

function gathering() {
  const writes: string[] = [];
  const written = new EventTarget();
  const gathered = new Gathering(limits, (frames, messages) => {
    writes.push(`${messages}: ${frames}`);
    written.dispatchEvent(new Event('write'));
  });
  return {
    gathered,
    writes,
    nextWrite: () => once(written, 'write'),
    add: (text: string) => gathered.add(Buffer.from(text)),
  };
}

it('writes what comes alone at once, and what comes close behind it together, in order', async () => {
  const { writes, nextWrite, add } = gathering();
  add('a');
  expect(writes).toEqual(['1: a']);
  const next = nextWrite();
  for (const text of ['b', 'c', 'd']) add(text);
  expect(writes).toHaveLength(1);
  await next;
  expect(writes).toEqual(['1: a', '3: bcd']);
});

it('writes before the moment is over when it is asked to, when there is much, and when it stops', () => {
  const { gathered, writes, add } = gathering();
  for (const text of ['a', 'b']) add(text);
  gathered.flush();
  gathered.flush();
  add('0123456789+');
  add('c');
  gathered.stop();
  expect(writes).toEqual(['1: a', '1: b', '1: 0123456789+', '1: c']);
});
