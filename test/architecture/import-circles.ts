import type { SourceFile } from './import-rules.ts';

const relative = /(?:\bfrom\s*|\bimport\s*)['"](\.[^'"]+)['"]/g;

/**
 * The groups of files that import each other in a circle, types included: neither can be read, or moved, without the other.
 * Between packages the import rules leave no circle, so that relative imports are all that counts.
 */
export function circles(files: readonly SourceFile[]): readonly string[][] {
  const imports = new Map(files.map(({ path, text }) => [path, importsOf(path, text)]));
  const reached = new Map([...imports.keys()].map((path) => [path, reachable(path, imports)]));
  const groups = new Set<string>();
  for (const [path, far] of reached) {
    if (!far.has(path)) continue;
    groups.add(JSON.stringify([...far].filter((other) => reached.get(other)?.has(path)).toSorted()));
  }
  return [...groups].map((group): string[] => JSON.parse(group));
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(relative)].map(([, imported = '']) =>
    new URL(imported, `file:///${path}`).pathname.slice(1),
  );
}

function reachable(from: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const ahead = [...(imports.get(from) ?? [])];
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    ahead.push(...(imports.get(path) ?? []));
  }
  return found;
}
