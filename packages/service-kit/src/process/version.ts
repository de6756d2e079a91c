import { readFileSync } from 'node:fs';

/** The version in the package.json beside a package's `src` or `dist`, which `moduleUrl` lies directly in. */
export function packageVersion(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')) as {
    version: string;
  };
  return version;
}
