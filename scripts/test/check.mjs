import { root } from '../prepare/root.mjs';
import { run } from '../prepare/run.mjs';

// Biome colours its output even into a file.
const colours = process.stdout.isTTY ? [] : ['--colors=off'];

const checks = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  [
    'types of the client, in a browser',
    ['node_modules/typescript/bin/tsc', '-p', 'packages/client/tsconfig.json'],
  ],
  ['types of the page', ['node_modules/typescript/bin/tsc', '-p', 'packages/dashboard/tsconfig.json']],
  [
    'types of the tests of the page',
    ['node_modules/typescript/bin/tsc', '-p', 'packages/dashboard/test/tsconfig.json'],
  ],
  [
    'lint and format',
    ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colours, '.'],
  ],
  ['plain words', ['tools/words/main.ts']],
];

/** The names of those that are not in order; every check runs, so one run shows all that is wrong. `whenStopped` as `run` takes it. */
export async function check(whenStopped) {
  const failed = [];
  for (const [name, command] of checks) {
    const status = await run('node', command, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      whenStopped,
    });
    if (status === 0) continue;
    console.error(`steward: ${name}: failed`);
    failed.push(name);
  }
  return failed;
}
