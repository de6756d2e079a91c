import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { GameOutput, outputLimits } from '../../src/game/modes/game-output.ts';

it('keeps the newest lines, and no more bytes than it may', () => {
  const output = new GameOutput(new ManualClock());
  for (let line = 1; line <= outputLimits.lines + 3; line += 1) output.said('stdout', `line ${line}`);
  expect(output.lines).toHaveLength(outputLimits.lines);
  expect(output.lines.at(0)?.text).toBe('line 4');
  expect(output.lines.at(-1)?.text).toBe(`line ${outputLimits.lines + 3}`);
  for (let line = 1; line <= outputLimits.lines; line += 1) output.said('stderr', 'ü'.repeat(10_000));
  const bytes = output.lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  expect(bytes).toBeLessThanOrEqual(outputLimits.bytes);
  expect(output.lines.at(-1)?.text).toHaveLength(outputLimits.lineCharacters);
});

it('is harmless wherever it is shown: nothing moves a cursor, ends a line or turns letters round', () => {
  const output = new GameOutput(new ManualClock());
  output.said('stderr', '\u001b[31mred\u001b[0m\u001b]0;title\u0007\tx\r\b\u0000\u202etxt\u2028\ud83d');
  const [line] = output.lines;
  expect(line?.text).toMatch(/^red x/);
  expect(line?.text).toBe(line?.text.toWellFormed());
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
  expect(line?.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
});

it('has as last words what the last run said, and nothing of the run before', () => {
  const output = new GameOutput(new ManualClock());
  output.began();
  output.said('stderr', 'of the first run');
  output.began();
  expect(output.lastWords).toEqual([]);
  for (let line = 1; line <= outputLimits.crashLines + 5; line += 1) output.said('stderr', `${line}`);
  expect(output.lastWords).toHaveLength(outputLimits.crashLines);
  expect(output.lastWords.at(-1)).toBe(`${outputLimits.crashLines + 5}`);
  output.said('stderr', 'x'.repeat(5_000));
  expect(output.lastWords.at(-1)).toHaveLength(outputLimits.crashLineCharacters);
});
