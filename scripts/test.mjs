// `npm test`: types, lint, format, then every test. Arguments go to vitest, e.g. `npm test -- packages/shared`.
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { check } from './test/check.mjs';
import { installDebianPackages } from './test/debian-packages.mjs';

const filters = process.argv.slice(2);

installDebianPackages();
const inOrder = await check();
// A coverage threshold speaks of the whole suite; a filtered run would always miss it.
const coverage = filters.length === 0 ? ['--coverage'] : [];
const status = await run('node', ['node_modules/vitest/vitest.mjs', 'run', ...coverage, ...filters], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(inOrder && status === 0 ? 0 : 1);
