import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

const tests = `
it('passes', () => {});
it('fails', () => expect(1).toBe(2));
it('waits', (context) => context.skip('for a fixture of its own'));
`;

interface Ended {
  readonly status: unknown;
  readonly lines: readonly string[];
}

/** A run of three tests, before which these checks failed. */
async function run(failedChecks: string, name = 'closing-line'): Promise<Ended> {
  using directory = temporaryDirectory();
  const { path } = directory;
  writeFileSync(join(path, 'some.test.ts'), tests);
  const reporter = join(root, `scripts/test/${name}-reporter.mjs`);
  const args = ['run', '--globals', '--root', path, '--reporter', reporter];
  const env = { ...process.env, FAILED_CHECKS: failedChecks };
  return await new Promise((resolve) => {
    const ended = (error: { code?: unknown } | null, stdout: string, stderr: string) =>
      resolve({ status: error?.code ?? 0, lines: `${stderr}${stdout}`.trimEnd().split('\n') });
    execFile(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), ...args],
      { cwd: path, env },
      ended,
    );
  });
}

it('a run ends with one line that counts what passed, failed and was skipped', async () => {
  const { status, lines } = await run('');
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 1 skipped');
  expect(lines.at(-2)).toMatch(/^took \d+ s; longest: some\.test\.ts \d+\.\d s$/);
  expect(lines.join('\n')).not.toContain('failed, see above');
});

it('a check before the tests that fails is counted there, and named', async () => {
  const { lines } = await run('types,coverage of packages/shared');
  expect(lines.at(-1)).toBe('1 passed, 3 failed, 1 skipped');
  expect(lines).toContain('steward: types: failed, see above');
  expect(lines).toContain('steward: coverage of packages/shared: failed, see above');
});

it('a log says how many files are done', async () => {
  const { lines } = await run('', 'progress');
  expect(lines).toContain('1 of 1 files, 1 failed');
});
