// `npm test`: types, lint, format, then every test. Arguments go to vitest, which then runs those tests alone, e.g.
// `npm test -- packages/shared`. At the long counts the coverage of packages/shared is held, too.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { check } from './test/check.mjs';
import { debianPackagesToInstall, installDebianPackages } from './test/debian-packages.mjs';
import { roomForTests } from './test/room-for-tests.mjs';

const filters = process.argv.slice(2);
const isWhole = filters.length === 0;
const isLong = process.env['SCALE'] === 'long';

const packages = debianPackagesToInstall();
const room = roomForTests();
const tidy = () => rmSync(room, { recursive: true, force: true, maxRetries: 5 });
// None of these needs another, and each by itself leaves a core idle. Where one breaks, the others have ended before that is told.
const prepared = await Promise.allSettled([
  isWhole ? check(tidy) : [],
  // Hundreds of programs are started: what the images ship begins in half the time, and is what people run.
  isWhole ? shippedServices() : undefined,
  installDebianPackages(packages, tidy),
]);
const broken = prepared.find(({ status }) => status === 'rejected');
if (broken !== undefined) {
  tidy();
  throw broken.reason;
}
const [failedChecks, shipped] = prepared.map(({ value }) => value);
if (isWhole && isLong && !(await sharedIsCovered())) failedChecks.push('coverage of packages/shared');
const status = await vitest(filters, { FAILED_CHECKS: failedChecks.join(','), STEWARD_SHIPPED: shipped });
tidy();
process.exit(failedChecks.length === 0 && status === 0 ? 0 : 1);

/** As `npm run coverage` does: which branches the tests reach does not depend on how often they try. */
async function sharedIsCovered() {
  return (await vitest(['--coverage', '--reporter=dot', 'packages/shared/'], { SCALE: 'small' })) === 0;
}

/** The directory in which each service is as its image has it; where they cannot be bundled, the tests of that say why. */
async function shippedServices() {
  const directory = join(room, 'shipped');
  const status = await run('node', ['tools/bundle/ship-all.ts', directory], {
    cwd: root,
    stdio: 'inherit',
    whenStopped: tidy,
  });
  return status === 0 ? directory : undefined;
}

function vitest(options, variables = {}) {
  return run('node', ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: root,
    env: { ...process.env, TMPDIR: room, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
    whenStopped: tidy,
  });
}
