// `npm test`: types, lint, format, then every test. Arguments go to vitest, which then runs those tests alone, e.g.
// `npm test -- packages/shared`. At the long counts the coverage of packages/shared is held, too.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { check } from './test/check.mjs';
import { installDebianPackages } from './test/debian-packages.mjs';
import { roomForTests } from './test/room-for-tests.mjs';

const filters = process.argv.slice(2);
const isWhole = filters.length === 0;
const isLong = process.env['SCALE'] === 'long';

installDebianPackages();
const failedChecks = isWhole ? await check() : [];
const room = roomForTests();
const tidy = () => rmSync(room, { recursive: true, force: true, maxRetries: 5 });
if (isWhole && isLong && !(await sharedIsCovered())) failedChecks.push('coverage of packages/shared');
// Hundreds of programs are started: what the images ship begins in half the time, and is what people run.
const shipped = isWhole ? await shippedServices() : undefined;
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
