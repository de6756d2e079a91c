import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { port } from '../configuration/kinds.ts';
import { variable } from '../configuration/variable.ts';
import { type ProgramDescription, runProgram } from './program.ts';

function arrangement() {
  const serve = vi.fn(async () => {});
  const check = vi.fn(async (_flags: ReadonlySet<string>) => 7);
  const make = vi.fn(async (_flags: ReadonlySet<string>, _values: ReadonlyMap<string, string>) => 0);
  const read = vi.fn(async (_flags: ReadonlySet<string>, _values: ReadonlyMap<string, string>) => 0);
  const program: ProgramDescription = {
    name: 'thing',
    summary: 'does things',
    version: () => '1.2.3',
    defaultCommand: 'serve',
    variables: { PORT: variable(port, { fallback: 80, means: 'Where' }) },
    commands: {
      serve: { summary: 'Serves', run: serve },
      check: { summary: 'Checks', details: 'All of it.', flags: { quick: 'Not all' }, run: check },
      'key make': {
        summary: 'Makes a key',
        flags: { json: 'As JSON' },
        options: { name: { means: 'Whose', isRequired: true }, until: { means: 'For how long' } },
        run: make,
      },
      'key read': {
        summary: 'Reads keys',
        operand: { name: 'file', means: 'Where they are' },
        flags: { json: 'As JSON' },
        run: read,
      },
    },
    exitCodes: { 0: 'it went well', 7: 'it did not' },
  };
  const written = { stdout: '', stderr: '' };
  const output = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
  };
  return { serve, check, make, read, written, run: (...args: string[]) => runProgram(program, args, output) };
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
  expect(check).toHaveBeenCalledWith(new Set(['quick']), new Map());
});

it('goes on after a command without an exit code', async () => {
  expect(await arrangement().run('serve')).toBeUndefined();
});

it.each([
  [
    ['fly'],
    'thing: there is no command "fly"; the commands are serve, check, key make, key read, and --help explains them\n',
  ],
  [
    ['constructor'],
    'thing: there is no command "constructor"; the commands are serve, check, key make, key read, and --help explains them\n',
  ],
  [
    ['check', 'this'],
    'thing: check takes no "this" (its options: --quick); the commands are serve, check, key make, key read, and --help explains them\n',
  ],
  [
    ['--quick'],
    'thing: there is no command "--quick"; the commands are serve, check, key make, key read, and --help explains them\n',
  ],
  [
    ['serve', '--quick'],
    'thing: serve takes no "--quick"; the commands are serve, check, key make, key read, and --help explains them\n',
  ],
])('refuses %j with exit code 2 and says what there is', async (args, line) => {
  const { written, run, check } = arrangement();
  expect(await run(...args)).toBe(2);
  expect(written).toEqual({ stdout: '', stderr: line });
  expect(check).not.toHaveBeenCalled();
});

describe('a command of two words, with values', () => {
  it.each([
    [['key', 'make', '--name', 'Robin'], [], [['name', 'Robin']]],
    [
      ['key', 'make', '--name=--x', '--json', '--until=7 d'],
      ['json'],
      [
        ['name', '--x'],
        ['until', '7 d'],
      ],
    ],
    [['key', 'make', '--name', '-'], [], [['name', '-']]],
    [['key', 'make', '--name', ''], [], [['name', '']]],
  ] as const)('takes %j', async (args, flags, values) => {
    const { make, run } = arrangement();
    expect(await run(...args)).toBe(0);
    expect(make).toHaveBeenCalledWith(new Set(flags), new Map(values));
  });

  it.each([
    [['key', 'make'], 'key make needs --name'],
    [['key', 'make', '--name'], 'key make: --name needs a value'],
    [['key', 'make', '--name', '--json'], 'key make: --name needs a value'],
    [['key', 'make', '--name=a', '--name=b'], 'key make: --name is given twice'],
    [
      ['key', 'make', '--name=a', '--json=yes'],
      'key make takes no "--json=yes" (its options: --json, --name, --until)',
    ],
    [
      ['key', 'make', '--name=a', '-j', 'now'],
      'key make takes no "-j now" (its options: --json, --name, --until)',
    ],
    [['key', 'lose'], 'there is no command "key"'],
  ])('refuses %j', async (args, line) => {
    const { make, written, run } = arrangement();
    expect(await run(...args)).toBe(2);
    expect(written.stderr).toContain(`thing: ${line}; the commands are`);
    expect(make).not.toHaveBeenCalled();
  });

  it('says in its help what each is', async () => {
    const { written, run } = arrangement();
    expect(await run('key', 'make', '--help')).toBe(0);
    expect(written.stdout).toContain('Usage: thing key make --name <…> [--until <…>] [--json]');
    expect(written.stdout).toContain(
      '  --name <…>   Whose\n  --until <…>  For how long\n  --json       As JSON\n',
    );
  });
});

describe('what a command needs behind its name', () => {
  it('is among its values, wherever it stands', async () => {
    for (const args of [
      ['keys.txt', '--json'],
      ['--json', 'keys.txt'],
    ]) {
      const { read, run } = arrangement();
      expect(await run('key', 'read', ...args)).toBe(0);
      expect(read).toHaveBeenCalledWith(new Set(['json']), new Map([['file', 'keys.txt']]));
    }
  });

  it('is asked for where it is not there, and is one alone', async () => {
    for (const [args, said] of [
      [[], 'key read needs <file>'],
      [['one', 'two'], 'key read takes no "two"'],
    ] as const) {
      const { read, written, run } = arrangement();
      expect(await run('key', 'read', ...args)).toBe(2);
      expect(written.stderr).toContain(said);
      expect(read).not.toHaveBeenCalled();
    }
  });

  it('stands in its help', async () => {
    const { written, run } = arrangement();
    await run('key', 'read', '--help');
    expect(written.stdout).toMatch(/Usage: thing key read <file> \[--json\]/);
    expect(written.stdout).toMatch(/<file> +Where they are/);
  });
});

it.runIf(process.platform === 'linux').each([
  ['a code', 'return 0', 1],
  ['a code of its own', 'return 7', 7],
  ['nothing', '', 1],
  ['nothing, but leaves as a service does', 'setImmediate(() => process.exit(0))', 0],
])('fails where the disk has no room for what a command writes that returns %s', (_what, end, status) => {
  using full = fullDisk();
  const program = fileURLToPath(new URL('./program.ts', import.meta.url));
  const script = `
    import { start } from ${JSON.stringify(program)};
    const run = async () => { process.stdout.write('answer'); ${end} };
    await start({ name: 'thing', defaultCommand: 'make', commands: { make: { run } } });
  `;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', full.file, 'pipe'],
    encoding: 'utf8',
  });
  const said = 'thing: standard output is not complete: the disk there is full, or a quota used up\n';
  expect([ended.status, ended.stderr]).toEqual([status, status === 0 ? '' : said]);
});

const uid = process.getuid?.();

describe.runIf(uid !== undefined)('what V8 has compiled', () => {
  const nobody = 65_534;
  const name = `steward-cache-${uid}`;

  it('is kept in a folder that only its user can open, from the first start on', () => {
    using temporary = temporaryDirectory();
    const own = join(temporary.path, name);
    for (const _start of ['first', 'next']) {
      expect(placeOfCompiled(temporary.path)).toContain(`${own}/`);
      expect(statSync(own).mode & 0o777).toBe(0o700);
      expect(readdirSync(own, { recursive: true }).length).toBeGreaterThan(1);
    }
    expect(readdirSync(temporary.path)).toEqual([name]);
  });

  const made = (folder: string) => {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  };
  const folders: readonly { readonly what: string; readonly make: (folder: string) => void }[] = [
    { what: 'others may write to', make: (folder) => chmodSync(made(folder), 0o777) },
    { what: 'others may read', make: (folder) => chmodSync(made(folder), 0o755) },
    { what: 'is a link', make: (folder) => symlinkSync(made(`${folder}-elsewhere`), folder) },
    { what: 'is another user’s', make: (folder) => chownSync(made(folder), nobody, nobody) },
  ];
  // Only root can give a folder away.
  const makable = folders.filter(({ what }) => uid === 0 || what !== 'is another user’s');

  it.each(makable)('is neither kept in nor read from a folder that $what', ({ make }) => {
    using temporary = temporaryDirectory();
    const own = join(temporary.path, name);
    make(own);
    expect(placeOfCompiled(temporary.path)).toBe('nowhere');
    expect(readdirSync(own)).toEqual([]);
  });
});

/** What a program says that is started with this directory for temporary files. */
function placeOfCompiled(temporary: string): string {
  const beside = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
  const script = `
    import { getCompileCacheDir } from 'node:module';
    import { start } from ${beside('./program.ts')};
    const run = async () => {
      await import(${beside('./options.ts')});
      process.stdout.write(getCompileCacheDir() ?? 'nowhere');
    };
    await start({ name: 'thing', defaultCommand: 'make', commands: { make: { run } } });
  `;
  const args = ['--input-type=module', '-e', script];
  return spawnSync(process.execPath, args, { env: { TMPDIR: temporary }, encoding: 'utf8' }).stdout;
}

function fullDisk() {
  const file = openSync('/dev/full', 'w');
  return { file, [Symbol.dispose]: () => closeSync(file) };
}
