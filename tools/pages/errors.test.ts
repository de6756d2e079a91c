import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codesOfTheSidecar } from './errors.ts';

const root = new URL('../../', import.meta.url);

it('lists of the sidecar each code that its own code answers with, or that of every service', () => {
  const sources = globSync('packages/{platform-auth,service-kit}/src/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  );
  // What every service says that stops stands in a file of its own.
  const text = [...sources, 'packages/shared/src/problems/shutting-down.ts']
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .join('\n');
  // A code that is no plain text there would be found as undefined.
  const answered = [...text.matchAll(/\bnew Problem\(\s*(?:'([a-z-]+)')?/g)].map(([, code]) => code);
  expect([...new Set(answered)].toSorted()).toEqual(codesOfTheSidecar.toSorted());
});
