import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { minify } from 'rolldown/utils';
import { oneModule, publishable, root } from './npm-package.ts';

const folder = join(root, 'packages/client');

/** Where everything that users see is declared, what is needed first first. */
const declaring = [
  'options.ts',
  'generated/api.ts',
  'error.ts',
  'events.ts',
  'chat.ts',
  'farm.ts',
  'index.ts',
];

/** Makes what is published as `@steward/client`: one module and its types, which know of nothing else. */
export async function clientPackage(
  directory: string,
  repository = process.env['GITHUB_REPOSITORY'],
): Promise<void> {
  await oneModule(
    { input: join(folder, 'src/index.ts'), platform: 'neutral' },
    { file: join(directory, 'dist/index.js') },
  );
  writeFileSync(join(directory, 'dist/index.d.ts'), declarations());
  publishable('client', directory, {
    repository,
    manifest: {
      main: './dist/index.js',
      types: './dist/index.d.ts',
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './package.json': './package.json',
      },
    },
  });
}

/** What a page may load of it at most, minified and gzipped. */
export const mostClientBytes = 12 * 1024;

/** What a page loads of what was made in a directory, minified and gzipped. */
export async function clientBytes(directory: string): Promise<number> {
  const text = readFileSync(join(directory, 'dist/index.js'), 'utf8');
  const { code } = await minify('index.js', text, { module: true });
  return gzipSync(code).length;
}

/** The types in one file, flat: each name is there once, so that none has to be imported. */
function declarations(): string {
  const files = declaring.map((name) => {
    const text = readFileSync(join(folder, 'src', name), 'utf8');
    const { code, errors } = isolatedDeclarationSync(name, text, { stripInternal: true });
    if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`);
    return code.replaceAll(betweenFiles, '');
  });
  // Without it whatever is declared would count as exported.
  return [...files, 'export {};\n'].join('\n');
}

const betweenFiles = /^(import|export type \*|export \{|export type \{)[^;]*;\n?/gm;
