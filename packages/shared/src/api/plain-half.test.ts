import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const begins = ['endpoint.ts', 'endpoints.ts', 'problems.ts', 'idempotency-key.ts'];

const imported = /^(?:import|export) (?!type )[^;]*?\bfrom '([^']+)'|^import '([^']+)'/gm;

/** Everything that a module loads, and what loads it: a file of this package, or a package by its name. */
function reachedFrom(files: readonly URL[]): ReadonlyMap<string, string> {
  const importers = new Map(files.map(({ href }) => [href, 'the test']));
  for (const file of importers.keys()) {
    if (!file.startsWith('file:')) continue;
    for (const [, from, alone] of readFileSync(new URL(file), 'utf8').matchAll(imported)) {
      const specifier = from ?? alone ?? '';
      const reached = specifier.startsWith('.') ? new URL(specifier, file).href : specifier;
      if (!importers.has(reached)) importers.set(reached, file);
    }
  }
  return importers;
}

it('what is declared can be imported by a client without anything of ours being bundled but the declarations', () => {
  const reached = reachedFrom(begins.map((name) => new URL(name, import.meta.url)));
  expect(reached.size).toBeGreaterThan(15);
  const packages = [...reached].filter(([name]) => !name.startsWith('file:'));
  expect(packages).toEqual([]);
});

it('what is answered is made of schemas, as the test above would see', () => {
  expect([...reachedFrom([new URL('answers.ts', import.meta.url)]).keys()]).toContain('zod');
});
