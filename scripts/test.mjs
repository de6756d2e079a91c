// `npm test`: types, lint, format, then every test. Arguments go to vitest, e.g. `npm test -- packages/shared`. At the long counts the
// coverage of packages/shared is held, too.
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { check } from './test/check.mjs';
import { installDebianPackages } from './test/debian-packages.mjs';

const filters = process.argv.slice(2);
const isLong = process.env['SCALE'] === 'long';

installDebianPackages();
const failedChecks = await check();
if (isLong && filters.length === 0 && !(await sharedIsCovered()))
  failedChecks.push('coverage of packages/shared');
const status = await vitest(filters, { FAILED_CHECKS: failedChecks.join(',') });
process.exit(failedChecks.length === 0 && status === 0 ? 0 : 1);

/** As `npm run coverage` does: which branches the tests reach does not depend on how often they try. */
async function sharedIsCovered() {
  return (await vitest(['--coverage', '--reporter=dot', 'packages/shared/'], { SCALE: 'small' })) === 0;
}

function vitest(options, variables = {}) {
  return run('node', ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
