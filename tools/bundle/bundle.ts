import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from '@steward/dashboard/build';
import { parseExact, stringifyExact } from '@steward/service-kit/json';
import { type Plugin, rolldown } from 'rolldown';
import { billName, billOf, billText } from '../sbom/bill.ts';
import { keptPackages, manifestOf, shippedPackages } from '../sbom/shipped-packages.ts';
import { type ServiceName, type ShippedService, services } from './services.ts';
import { libraries, licences, thirdParty } from './third-party.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where a whole run of the tests has bundled every service; `packages/testing` starts them from there. */
const shippedDirectory = process.env['STEWARD_SHIPPED'];

/**
 * What packages bring along and no service loads: the first is a program that makes protobufjs's modules, with 16 MB of packages
 * for itself.
 */
const unusedFolders = ['protobufjs/cli'];

/** A package lies where pnpm keeps it, or right below where another installer has put it. */
const placesOfPackages = ['node_modules', 'node_modules/.pnpm/*/node_modules'];

function packageOf(service: ServiceName): string {
  return join(root, 'packages', service);
}

/**
 * Makes of a service what its image ships: a package that runs by itself, but for what the service's own package.json
 * has among its `dependencies`. Those stay packages; everything else goes into the bundle. `more` are programs by their paths,
 * for who measures a service from inside; a service that serves the page can be given where it is built already.
 */
export async function bundle(
  service: ServiceName,
  directory: string,
  more: Readonly<Record<string, string>> = {},
  builtPage?: string,
): Promise<void> {
  const folder = packageOf(service);
  const { documents = [], programs = {}, hasPage = false }: ShippedService = services[service];
  const { name, version, license, dependencies = {} } = manifestOf(folder);
  const found = new Set(keptPackages(folder));
  const ofThePage = new Set<string>();
  const build = await rolldown({
    // All of them lie in one folder, with the modules that start them.
    input: Object.fromEntries(
      Object.entries({ main: './main.ts', ...programs, ...more }).map(([name, file]) => [
        name,
        resolve(folder, 'src', file),
      ]),
    ),
    platform: 'node',
    external: Object.keys(dependencies).map((dependency) => new RegExp(`^${dependency}(/|$)`)),
    // Our own packages come as the TypeScript that they are, third-party ones as modules where they are imported. What is
    // required comes as it does in Node: a module has no members by the names of the other's.
    resolve: { conditionNames: ['node', 'default'], mainFields: ['module', 'main'] },
    plugins: [...thirdParty(found), inAscii()],
    // That the machine has much else to do is no fault of what is bundled.
    checks: { bundlerTimings: false },
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  await build.write({
    dir: join(directory, 'dist'),
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [libraries] },
    comments: false,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => `steward:///${relative(root, resolve(dirname(map), source))}`,
  });
  await build.close();
  const page = join(directory, 'dist', 'dashboard');
  if (hasPage && builtPage !== undefined) symlinkSync(builtPage, page);
  else if (hasPage) await buildDashboard(page, [licences(ofThePage)]);
  const bill = billOf({ name, version, license }, shippedPackages([...found, ...ofThePage]));
  writeFileSync(join(directory, billName), billText(bill));
  const manifest = { name, version, license, type: 'module' };
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  removeUnusedFolders(directory);
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    writeFileSync(join(directory, 'dist', basename(document)), stringifyExact(parseExact(text)));
  }
}

/** What the image of a service ships, for tests and measurements: in a directory that nothing of the checkout is near. */
export async function shipped(
  service: ServiceName,
  more: Readonly<Record<string, string>> = {},
): Promise<Disposable & { readonly main: string; program(name: string): string }> {
  const ready = shippedDirectory === undefined ? undefined : join(shippedDirectory, service);
  if (ready !== undefined && Object.keys(more).length === 0 && existsSync(ready))
    return { ...programsIn(ready), [Symbol.dispose]: () => {} };
  const directory = mkdtempSync(join(tmpdir(), 'steward-shipped-'));
  await ship(service, directory, more);
  return {
    ...programsIn(directory),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** What the image of a service ships, with its dependencies beside it as an image has them. */
export async function ship(
  service: ServiceName,
  directory: string,
  more: Readonly<Record<string, string>> = {},
  builtPage?: string,
): Promise<void> {
  await bundle(service, directory, more, builtPage);
  // An image has the service's own dependencies there, and no others.
  if (manifestOf(packageOf(service)).dependencies !== undefined)
    symlinkSync(join(packageOf(service), 'node_modules'), join(directory, 'node_modules'));
}

/**
 * Writes every character beyond ASCII as its escape: one typographic quote in a file, and V8 keeps two bytes for each of its characters,
 * which is a megabyte of the control API's memory.
 */
function inAscii(): Plugin {
  return {
    name: 'in-ascii',
    generateBundle(_options, output) {
      for (const part of Object.values(output))
        if (part.type === 'chunk') part.code = part.code.replace(/[^\0-\x7f]/g, escaped);
    },
  };
}

/** Of one UTF-16 unit, as it may stand in a string, a template, a regular expression or a name. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function programsIn(directory: string) {
  const program = (name: string) => join(directory, 'dist', `${name}.js`);
  return { main: program('main'), program };
}

/** Takes out of what was deployed to a directory what nothing of it loads. */
function removeUnusedFolders(directory: string): void {
  for (const place of placesOfPackages) {
    for (const unused of unusedFolders) {
      // Others link to the same folder, so that it may be gone already.
      for (const found of globSync(join(place, unused), { cwd: directory }))
        rmSync(join(directory, found), { recursive: true, force: true });
    }
  }
}
