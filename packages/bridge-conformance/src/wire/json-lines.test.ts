import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { JsonLines } from './json-lines.ts';

function openLines() {
  const output = new PassThrough();
  const lines = new JsonLines(
    { input: new PassThrough(), output, end: () => output.end() },
    { line: () => {}, ended: () => {} },
  );
  return { lines, written: () => output.read()?.toString() ?? '' };
}

it('holds back what is sent while a line is half written, and sends it after that line, in order', () => {
  const { lines, written } = openLines();
  lines.raw('{"half":');
  lines.send({ answer: 1 });
  lines.send({ answer: 2 });
  expect(written()).toBe('{"half":');
  lines.raw('true');
  expect(written()).toBe('true');
  lines.raw('}\n');
  expect(written()).toBe('}\n{"answer":1}\n{"answer":2}\n');
});

it('sends at once when every line is whole', () => {
  const { lines, written } = openLines();
  lines.raw('not JSON\n');
  lines.raw(Buffer.from([0xff, 0x0a]));
  written();
  lines.send({ answer: 3 });
  expect(written()).toBe('{"answer":3}\n');
});

it('takes a character cut in two for a line that goes on', () => {
  const { lines, written } = openLines();
  const hen = Buffer.from('🐔\n');
  lines.raw(hen.subarray(0, 2));
  lines.send({ answer: 4 });
  lines.raw(hen.subarray(2));
  expect(written()).toBe('🐔\n{"answer":4}\n');
});
