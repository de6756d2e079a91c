import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { minify } from 'rolldown/utils';

const root = fileURLToPath(new URL('../../', import.meta.url));
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

/** What the checkout has of its manifest, and users need. */
const keptOfManifest = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'type',
  'sideEffects',
  'engines',
];

/**
 * Makes what is published as `@steward/client`: one module and its types, which know of nothing else. As long as a release has not
 * said where the repository is, the manifest does not either.
 */
export async function clientPackage(
  directory: string,
  repository = process.env['GITHUB_REPOSITORY'],
): Promise<void> {
  await bundleClient(join(directory, 'dist/index.js'));
  writeFileSync(join(directory, 'dist/index.d.ts'), declarations());
  cpSync(join(folder, 'README.md'), join(directory, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest(repository), undefined, 2)}\n`);
}

/** What a page may load of it at most, minified and gzipped. */
export const mostClientBytes = 12 * 1024;

/** What a page loads of what was made in a directory, minified and gzipped. */
export async function clientBytes(directory: string): Promise<number> {
  const text = readFileSync(join(directory, 'dist/index.js'), 'utf8');
  const { code } = await minify('index.js', text, { module: true });
  return gzipSync(code).length;
}

async function bundleClient(file: string): Promise<void> {
  const build = await rolldown({
    input: join(folder, 'src/index.ts'),
    platform: 'neutral',
    checks: { bundlerTimings: false },
    // An import that stays one, for instance.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  await build.write({ file, format: 'esm' });
  await build.close();
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

function manifest(repository: string | undefined): object {
  const own: Readonly<Record<string, unknown>> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const place = {
    type: 'git',
    url: `git+https://github.com/${repository}.git`,
    directory: 'packages/client',
  };
  return {
    ...Object.fromEntries(keptOfManifest.map((name) => [name, own[name]])),
    ...(repository === undefined ? {} : { repository: place }),
    main: './dist/index.js',
    types: './dist/index.d.ts',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist'],
    publishConfig: { access: 'public', provenance: true },
  };
}
