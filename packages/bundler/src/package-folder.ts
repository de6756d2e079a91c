import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a package.json that is used here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The folder of the third-party package that a module belongs to. */
export function packageFolder(moduleId: string): string | undefined {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId) ?? [];
  return folder;
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
