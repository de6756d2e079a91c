import { expect, it } from 'vitest';
import { UsageError } from '../process/errors.ts';
import { readCommandLine } from './options.ts';

const options = { fast: { type: 'boolean' }, name: { type: 'string' } } as const;

function read(...args: string[]) {
  return readCommandLine({ args, options }).values;
}

it('reads what it knows', () => {
  expect(read('--fast', '--name', 'Ann')).toEqual({ fast: true, name: 'Ann' });
});

it.each([
  [['--bogus'], "Unknown option '--bogus'; see --help"],
  [['word'], "Unexpected argument 'word'; see --help"],
  [['--name'], "Option '--name <value>' argument missing; see --help"],
  [['--name', '--fast'], "Option '--name' argument is ambiguous; see --help"],
])('says in one line, with exit code 2, what is wrong with %j', (args, line) => {
  const thrown = thrownBy(() => read(...args));
  expect(thrown).toBeInstanceOf(UsageError);
  expect(thrown).toMatchObject({ lines: [line], exitCode: 2 });
});

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
