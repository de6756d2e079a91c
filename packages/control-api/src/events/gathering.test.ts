import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Gathering } from './gathering.ts';

const limits = { gatherMs: 1, gatherBytes: 10 };

/** Every write takes `tookMs`. */
function gathering(tookMs: number) {
  const writes: string[] = [];
  const written = new EventTarget();
  let now = 0;
  const gathered = new Gathering(
    limits,
    (frames, messages) => {
      writes.push(`${messages}: ${frames}`);
      now += tookMs;
      written.dispatchEvent(new Event('write'));
    },
    () => now,
  );
  return {
    gathered,
    writes,
    nextWrite: () => once(written, 'write'),
    add: (text: string) => gathered.add(Buffer.from(text)),
  };
}

it('writes what comes alone at once, and what comes close behind it together, in order', async () => {
  const { writes, nextWrite, add } = gathering(5);
  add('a');
  expect(writes).toEqual(['1: a']);
  const next = nextWrite();
  for (const text of ['b', 'c', 'd']) add(text);
  expect(writes).toHaveLength(1);
  await next;
  expect(writes).toEqual(['1: a', '3: bcd']);
});

it('gathers nothing where writing takes next to no time', () => {
  const { writes, add } = gathering(0.1);
  for (const text of ['a', 'b', 'c']) add(text);
  expect(writes).toEqual(['1: a', '1: b', '1: c']);
});

it('writes before the moment is over when it is asked to, when there is much, and when it stops', () => {
  const { gathered, writes, add } = gathering(5);
  for (const text of ['a', 'b']) add(text);
  gathered.flush();
  gathered.flush();
  add('0123456789+');
  add('c');
  gathered.stop();
  expect(writes).toEqual(['1: a', '1: b', '1: 0123456789+', '1: c']);
});
