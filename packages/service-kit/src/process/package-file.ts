import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A file beside the package.json of the package that a module belongs to, be it a source or bundled. */
export function packageFile(moduleUrl: string, name: string): URL {
  const packageJson = findPackageJSON('.', moduleUrl);
  if (packageJson === undefined) throw new Error(`${moduleUrl} belongs to no package`);
  return new URL(name, pathToFileURL(packageJson));
}

/** The version of the package that a module belongs to. */
export function packageVersion(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(packageFile(moduleUrl, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
