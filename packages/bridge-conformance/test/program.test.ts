import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { it } from 'vitest';
import { allRules } from '../src/conformance.ts';

const program = 'packages/bridge-conformance/src/main.ts';

/** A game that can be started, and breaks every rule at once by ending. */
const ending = ['--spawn', JSON.stringify([process.execPath, '--eval', ''])];

async function run(...args: string[]) {
  await using conformance = new Program(program, args);
  const { code } = await conformance.exited;
  return { code, stdout: conformance.stdout, stderr: conformance.stderr };
}

it.concurrent.for<[string[], RegExp]>([
  [[...ending, '--rule', 'nope'], /there is no rule "nope"; --help lists them$/],
  [[...ending, '--rule', 'hello', '--rule', 'nope'], /there is no rule "nope"/],
  [['--bogus'], /Unknown option '--bogus'; see --help$/],
  [['--spawn', 'mono Game.exe'], /--spawn is mono Game\.exe; it is a JSON array of texts, such as '\["mono"/],
  [['--spawn', '[""]'], /--spawn is \[""\]; it is a JSON array/],
  [['--listen', 'banana'], /--listen is "banana"; it is unix:<path> or tcp:<host>:<port>/],
  [['--listen', 'tcp:127.0.0.1:banana'], /--listen is "tcp:127\.0\.0\.1:banana"; it is unix/],
  [['--listen', 'tcp:127.0.0.1:65536'], /--listen is "tcp:127\.0\.0\.1:65536"; it is unix/],
  [['--listen', 'unix:/nowhere/at/all.sock'], /cannot listen there: .*\/nowhere\/at\/all\.sock/],
  [[...ending, '--ticket', '!'], /--ticket is not base64/],
  [[...ending, '--listen', 'unix:/nowhere'], /^bridge-conformance: both of --listen and --spawn/],
  [[], /^bridge-conformance: neither of --listen and --spawn/],
])('says in one line what is wrong with %j, and checks nothing', async ([args, line], { expect }) => {
  expect(await run(...args)).toEqual({ code: 2, stdout: [], stderr: [expect.stringMatching(line)] });
});

it.concurrent('says which command could not be started, and calls no rule broken', async ({ expect }) => {
  const { code, stdout, stderr } = await run('--spawn', '["nosuchthing","argument"]');
  expect(stderr).toEqual([
    'bridge-conformance: the command ["nosuchthing","argument"] could not be started: spawn nosuchthing ENOENT',
  ]);
  expect(stdout.join('\n')).not.toContain('BROKEN');
  expect(code).toBe(2);
});

it.concurrent('lists the rules with --help, whatever else is given', async ({ expect }) => {
  using directory = temporaryDirectory();
  const { code, stdout } = await run('--help', '--listen', `unix:${directory.path}/game.sock`);
  expect(code).toBe(0);
  const listed = stdout.map((line) => line.trim());
  for (const { id } of allRules) expect(listed.some((line) => line.endsWith(id))).toBe(true);
});
