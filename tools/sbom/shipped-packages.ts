import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import satisfies from 'spdx-satisfies';
import { textLeftOut } from './licence-texts.ts';

/** The licences under which we pass code on, by their names in SPDX: each wants no more than that its text comes along. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
];

/** Of packages whose manifests name none, what their own text comes to. */
const unnamed: Readonly<Record<string, string>> = {
  // With one more condition, that it stays as it is.
  'node-bignumber': 'MIT',
};

/** Somebody else's package that reaches users, in a bundle or as it is. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An expression in SPDX. */
  readonly licence: string;
  /** What has to come along with it. */
  readonly text: string;
}

/** The part of a package.json that is used here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Some name here alone what they use where it is there. */
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The packages in these folders, each once. Throws for one that may not be passed on, or not without a text that nobody has. */
export function shippedPackages(folders: Iterable<string>): readonly ShippedPackage[] {
  const found = new Map<string, ShippedPackage>();
  for (const folder of folders) {
    const one = shippedPackage(folder);
    found.set(`${one.name} ${one.version}`, one);
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function shippedPackage(folder: string): ShippedPackage {
  const { name, version: written, license } = manifestOf(folder);
  const licence = license ?? unnamed[name];
  // As the registry has it: some write a letter before it.
  const version = written.replace(/^v/, '');
  const what = `${name} ${version}`;
  if (licence === undefined) throw new Error(`${what} names no licence: nobody may pass it on`);
  if (!isAllowed(licence))
    throw new Error(`${what} is under ${licence}, which is not among ${allowed.join(', ')}: do without it`);
  const own = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = own.length > 0 ? own.join('\n\n') : textLeftOut(name);
  if (text === undefined)
    throw new Error(
      `${what} has no text of its licence (${licence}): say in tools/sbom/licence-texts.ts whom its notice names`,
    );
  return { name, version, licence, text };
}

function isAllowed(licence: string): boolean {
  try {
    return satisfies(licence, allowed);
  } catch {
    // It is no expression: `SEE LICENSE IN …`, say.
    return false;
  }
}

/** The folders of the packages that a package of ours has as its `dependencies`, with all that they bring along on this machine. */
export function keptPackages(folder: string): readonly string[] {
  const found = new Set<string>();
  const take = (from: string, places: readonly string[]) => {
    for (const name of namesIn(manifestOf(from))) {
      // What is optional, or for another machine, may be missing.
      const place = places.map((each) => join(each, name)).find((each) => existsSync(each));
      if (place === undefined) continue;
      const real = realpathSync(place);
      if (found.has(real)) continue;
      found.add(real);
      take(real, [join(real, 'node_modules'), real.slice(0, real.lastIndexOf(`/${name}`))]);
    }
  };
  take(folder, [join(folder, 'node_modules')]);
  return [...found];
}

function namesIn(manifest: Manifest): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  return Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
    ...peerDependenciesMeta,
  });
}

/** The licence of everything third-party that ships: most ask to be passed on with the code. */
export function licenceFile(packages: readonly ShippedPackage[]): string {
  return packages
    .map(
      ({ name, version, licence, text }) =>
        `${'-'.repeat(100)}\n${name} ${version} (${licence})\n\n${text}\n`,
    )
    .join('\n');
}
