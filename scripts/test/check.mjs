import { root } from '../prepare/root.mjs';
import { run } from '../prepare/run.mjs';

// Biome colours its output even into a file.
const colours = process.stdout.isTTY ? [] : ['--colors=off'];

const checks = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  [
    'lint and format',
    ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colours, '.'],
  ],
];

/** True when types, lint and format are all in order; every check runs, so one run shows all that is wrong. */
export async function check() {
  let inOrder = true;
  for (const each of checks) inOrder = (await isInOrder(each)) && inOrder;
  return inOrder;
}

async function isInOrder([name, command]) {
  const status = await run('node', command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) console.error(`steward: ${name}: not in order`);
  return status === 0;
}
