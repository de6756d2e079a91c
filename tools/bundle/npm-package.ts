import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the checkout has of a manifest, and users need. */
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

/** Bundles a package of the checkout into one module; what it cannot take in, an import that stays one for instance, is an error. */
export async function oneModule(input: InputOptions, output: OutputOptions): Promise<void> {
  const build = await rolldown({
    checks: { bundlerTimings: false },
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
    ...input,
  });
  await build.write({ format: 'esm', ...output });
  await build.close();
}

/**
 * Writes what is around the code of a package that npm publishes: its page, the licence, the manifest with what only users need of it, and
 * `files` of the checkout. As long as a release has not said where the repository is, the manifest does not either.
 */
export function publishable(
  name: string,
  directory: string,
  { repository, manifest, files = [] }: PublishableParts,
): void {
  const folder = join(root, 'packages', name);
  const own: Readonly<Record<string, unknown>> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const place = {
    type: 'git',
    url: `git+https://github.com/${repository}.git`,
    directory: `packages/${name}`,
  };
  const published = {
    ...Object.fromEntries(keptOfManifest.map((member) => [member, own[member]])),
    ...(repository === undefined ? {} : { repository: place }),
    ...manifest,
    files: ['dist', ...files],
    publishConfig: { access: 'public', provenance: true },
  };
  cpSync(join(folder, 'README.md'), join(directory, 'README.md'));
  for (const file of ['LICENSE', ...files]) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    cpSync(join(root, file), join(directory, file));
  }
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
}

interface PublishableParts {
  readonly repository: string | undefined;
  /** What differs from package to package: what it exports, or which command it brings. */
  readonly manifest: object;
  readonly files?: readonly string[];
}
