import { expect, it, vi } from 'vitest';
import { port } from '../configuration/kinds.ts';
import { variable } from '../configuration/variable.ts';
import { type ProgramDescription, runProgram } from './program.ts';

function arrangement() {
  const serve = vi.fn(async () => {});
  const check = vi.fn(async (_flags: ReadonlySet<string>) => 7);
  const program: ProgramDescription = {
    name: 'thing',
    summary: 'does things',
    version: () => '1.2.3',
    defaultCommand: 'serve',
    variables: { PORT: variable(port, { fallback: 80, means: 'Where' }) },
    commands: {
      serve: { summary: 'Serves', run: serve },
      check: { summary: 'Checks', details: 'All of it.', flags: { quick: 'Not all' }, run: check },
    },
    exitCodes: { 0: 'it went well', 7: 'it did not' },
  };
  const written = { stdout: '', stderr: '' };
  const output = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
  };
  return { serve, check, written, run: (...args: string[]) => runProgram(program, args, output) };
}

it('runs the default command when none is named, and the named one otherwise', async () => {
  const { serve, check, run } = arrangement();
  await run();
  expect([serve.mock.calls.length, check.mock.calls.length]).toEqual([1, 0]);
  await run('check');
  expect([serve.mock.calls.length, check.mock.calls.length]).toEqual([1, 1]);
});

it.each(['--version', '-v', 'version'])('says for %s on stdout which version it is', async (word) => {
  const { serve, written, run } = arrangement();
  expect(await run(word)).toBe(0);
  expect(written).toEqual({ stdout: 'thing 1.2.3\n', stderr: '' });
  expect(serve).not.toHaveBeenCalled();
});

it.each([['--help'], ['-h'], ['help']])(
  'shows commands and environment on stdout for %s and runs nothing',
  async (flag) => {
    const { serve, written, run } = arrangement();
    expect(await run(flag)).toBe(0);
    expect(written.stdout).toMatch(/serve +Serves \(the default\)\n +check +Checks/);
    expect(written.stdout).toContain('PORT');
    expect(written.stdout).toContain('  7  it did not');
    expect(serve).not.toHaveBeenCalled();
  },
);

it.each([[['check', '--help']], [['-h', 'check', '--quick']], [['help', 'check']]])(
  'shows what a command does, its options and how it can end for %j',
  async (args) => {
    const { check, written, run } = arrangement();
    expect(await run(...args)).toBe(0);
    expect(written.stdout).toMatch(/^thing check: Checks\n\nUsage: thing check \[--quick\]\n\nAll of it\.\n/);
    expect(written.stdout).toContain('  --quick  Not all');
    expect(written.stdout).toContain('  7  it did not');
    expect(check).not.toHaveBeenCalled();
  },
);

it('hands a command its flags, and the process the command’s exit code', async () => {
  const { check, run } = arrangement();
  expect(await run('check', '--quick')).toBe(7);
  expect(check).toHaveBeenCalledWith(new Set(['quick']));
});

it('goes on after a command without an exit code', async () => {
  expect(await arrangement().run('serve')).toBeUndefined();
});

it.each([
  [['fly'], 'thing: there is no command "fly"; the commands are serve, check, and --help explains them\n'],
  [
    ['constructor'],
    'thing: there is no command "constructor"; the commands are serve, check, and --help explains them\n',
  ],
  [
    ['check', 'this'],
    'thing: check takes no "this" (its options: --quick); the commands are serve, check, and --help explains them\n',
  ],
  [
    ['--quick'],
    'thing: there is no command "--quick"; the commands are serve, check, and --help explains them\n',
  ],
  [
    ['serve', '--quick'],
    'thing: serve takes no "--quick"; the commands are serve, check, and --help explains them\n',
  ],
])('refuses %j with exit code 2 and says what there is', async (args, line) => {
  const { written, run, check } = arrangement();
  expect(await run(...args)).toBe(2);
  expect(written).toEqual({ stdout: '', stderr: line });
  expect(check).not.toHaveBeenCalled();
});
