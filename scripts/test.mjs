// `npm test`: types, lint, format, then every test. Arguments go to vitest, e.g. `npm test -- packages/shared`.
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { check } from './test/check.mjs';
import { installDebianPackages } from './test/debian-packages.mjs';

const filters = process.argv.slice(2);

installDebianPackages();
const inOrder = await check();
const isCovered = filters.length > 0 || (await sharedIsCovered());
const status = await vitest(...filters);
process.exit(inOrder && isCovered && status === 0 ? 0 : 1);

/** What both services agree on is tested to the last branch. Counting costs every test a fifth more, so its own are run for it. */
async function sharedIsCovered() {
  const isCovered = (await vitest('--coverage', '--reporter=dot', 'packages/shared/')) === 0;
  if (!isCovered) console.error('steward: packages/shared: its own tests leave something out');
  return isCovered;
}

function vitest(...options) {
  return run('node', ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
