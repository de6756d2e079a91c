// `npm test`: types, lint, format, then every test. Arguments go to vitest, e.g. `npm test -- packages/shared`.
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { check } from './test/check.mjs';
import { installDebianPackages } from './test/debian-packages.mjs';

const filters = process.argv.slice(2);

installDebianPackages();
const failedChecks = await check();
if (filters.length === 0 && !(await sharedIsCovered())) failedChecks.push('coverage of packages/shared');
const status = await vitest(filters, { FAILED_CHECKS: failedChecks.join(',') });
process.exit(failedChecks.length === 0 && status === 0 ? 0 : 1);

/** What both services agree on is tested to the last branch. Counting costs every test a fifth more, so its own are run for it. */
async function sharedIsCovered() {
  return (await vitest(['--coverage', '--reporter=dot', 'packages/shared/'])) === 0;
}

function vitest(options, variables = {}) {
  return run('node', ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
