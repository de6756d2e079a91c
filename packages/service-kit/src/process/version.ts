import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.ts';

/** The version of the package that a module belongs to. */
export function packageVersion(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(packageFile(moduleUrl, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
