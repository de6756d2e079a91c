// `npm test`: types, lint, format, then every test. Arguments go to vitest, which then runs those tests alone, e.g.
// `npm test -- packages/shared`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';
import { check } from './test/check.mjs';
import { installDebianPackages } from './test/debian-packages.mjs';

const filters = process.argv.slice(2);
const isWhole = filters.length === 0;

installDebianPackages();
const failedChecks = isWhole ? await check() : [];
if (isWhole && !(await sharedIsCovered())) failedChecks.push('coverage of packages/shared');
// Hundreds of programs are started: what the images ship begins in half the time, and is what people run.
const shipped = isWhole ? await shippedServices() : undefined;
const status = await vitest(filters, { FAILED_CHECKS: failedChecks.join(','), STEWARD_SHIPPED: shipped });
if (shipped !== undefined) rmSync(shipped, { recursive: true, force: true });
process.exit(failedChecks.length === 0 && status === 0 ? 0 : 1);

/** What both services agree on is tested to the last branch. Counting costs every test a fifth more, so its own are run for it. */
async function sharedIsCovered() {
  return (await vitest(['--coverage', '--reporter=dot', 'packages/shared/'])) === 0;
}

/** The directory in which each service is as its image has it; where they cannot be bundled, the tests of that say why. */
async function shippedServices() {
  const directory = mkdtempSync(join(tmpdir(), 'steward-shipped-'));
  const status = await run('node', ['tools/bundle/ship-all.ts', directory], { cwd: root, stdio: 'inherit' });
  if (status === 0) return directory;
  rmSync(directory, { recursive: true, force: true });
  return undefined;
}

function vitest(options, variables = {}) {
  return run('node', ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
