import { spawnSync } from 'node:child_process';
import { root } from '../prepare/root.mjs';

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
export function check() {
  return checks.map(run).every(Boolean);
}

function run([name, command]) {
  const { status } = spawnSync('node', command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) console.error(`steward: ${name}: not in order`);
  return status === 0;
}
