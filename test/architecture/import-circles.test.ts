import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { circles } from './import-circles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('finds no files that import each other in a circle', () => {
  const files = globSync('{packages/*/src,tools,benchmarks/src}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules'],
  }).map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
  expect(files.length).toBeGreaterThan(500);
  expect(circles(files)).toEqual([]);
});

it('would find one, over any number of files and by types alone', () => {
  const files = [
    { path: 'packages/x/src/a.ts', text: "import { b } from './deep/b.ts';" },
    { path: 'packages/x/src/deep/b.ts', text: "export { c } from '../c.ts';" },
    { path: 'packages/x/src/c.ts', text: "import type { a } from './a.ts';" },
    { path: 'packages/x/src/d.ts', text: "import { a } from './a.ts';" },
  ];
  expect(circles(files)).toEqual([
    ['packages/x/src/a.ts', 'packages/x/src/c.ts', 'packages/x/src/deep/b.ts'],
  ]);
});
