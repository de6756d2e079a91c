import { type SourceFile, specifier } from './import-rules.ts';

/** A file of no more lines belongs into the only one that imports it. */
export const smallestLines = 40;

const lateSpecifier = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** Each small file that one other imports and no second one: it has to be opened to read the other, and for nothing else. */
export function smallFilesOfOne(files: readonly SourceFile[]): readonly string[] {
  const importers = new Map(files.map(({ path }) => [path, new Set<string>()]));
  const late = new Set<string>();
  for (const { path, text } of files) {
    for (const [, imported = ''] of text.matchAll(specifier))
      importers.get(fileOf(imported, path))?.add(path);
    for (const [, imported = ''] of text.matchAll(lateSpecifier)) late.add(fileOf(imported, path));
  }
  return (
    files
      // What is loaded when somebody needs it has to be a file.
      .filter(({ path }) => !late.has(path))
      .filter(({ path, text }) => importers.get(path)?.size === 1 && linesOf(text) <= smallestLines)
      .map(({ path }) => path)
  );
}

function fileOf(imported: string, importer: string): string {
  const [, name, path] = /^@steward\/([^/]+)\/(.+)$/.exec(imported) ?? [];
  if (name === 'tools') return `tools/${path}.ts`;
  if (name !== undefined) return `packages/${name}/src/${path}.ts`;
  return new URL(imported, `file:///${importer}`).pathname.slice(1);
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}
