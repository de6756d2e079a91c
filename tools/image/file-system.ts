import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Bill,
  billName,
  billText,
  debianComponent,
  nodeComponent,
  withComponents,
} from '../sbom/bill.ts';

/**
 * Beside the service and Node an image has these programs of its base: bash, which asks for the service's health at a fiftieth of
 * Node's cost; and what the documentation has people do with volumes.
 */
const programs = ['bash', 'sh', 'tar', 'cat', 'rm'];

/** What the system's library reads to look up users and hosts. */
const lookups = ['/etc/passwd', '/etc/group', '/etc/nsswitch.conf'];

/** Where Debian has had its programs and libraries since they moved below /usr; who builds on the image lays Debian over it. */
const moved = ['bin', 'lib', 'lib64'];

/** What every process may count on, and who may write there. */
const writable = 0o1777;

/**
 * Makes the whole file system of an image: a service, the programs that it needs of the image that this runs in, the libraries
 * that these load, their licences, and a bill of all of it. No package manager, no compiler, nothing else of the base.
 */
export function fileSystem(app: string, root: string, health = join(import.meta.dirname, 'health.sh')): void {
  for (const folder of moved) {
    if (!existsSync(`/${folder}`)) continue;
    mkdirSync(join(root, 'usr', folder), { recursive: true });
    symlinkSync(`usr/${folder}`, join(root, folder));
  }
  const run = programs.map((name) => output('/bin/sh', '-c', `command -v ${name}`).trim());
  const files = [...run, ...librariesOf([process.execPath, ...run, ...nativeModules(app)])];
  for (const file of [...files, ...lookups.filter(existsSync)]) copy(file, root);
  const packages = [...new Set(files.map(packageOf).filter((name) => name !== undefined))];
  for (const licence of licencesOf(packages)) copy(licence, root);
  place(process.execPath, join(root, 'usr/local/bin/node'));
  placeScript(health, join(root, 'usr/local/bin/health'));
  mkdirSync(join(root, 'tmp'), { recursive: true });
  chmodSync(join(root, 'tmp'), writable);
  cpSync(app, join(root, 'app'), { recursive: true, verbatimSymlinks: true });
  openToReaders(join(root, 'app'));
  addToBill(join(root, 'app'), packages);
}

/** An image runs as any user, and in a checkout that was made under a strict umask the files are for their owner alone. */
function openToReaders(folder: string): void {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const path of [folder, ...below]) {
    const { mode } = statSync(path);
    chmodSync(path, mode | ((mode & 0o111) === 0 ? 0o444 : 0o555));
  }
}

function nativeModules(app: string): readonly string[] {
  return globSync('**/*.node', { cwd: app }).map((file) => join(app, file));
}

/** The libraries that programs load at their start, the loader among them, by the paths where they look for them. */
function librariesOf(files: readonly string[]): ReadonlySet<string> {
  const listed = files.map((file) => output('ldd', realpathSync(file))).join('\n');
  const missing = /^\s*(\S+) => not found/m.exec(listed)?.[1];
  if (missing !== undefined) throw new Error(`${missing} is not in this image`);
  return new Set([...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path));
}

/** Of Debian's packages, and of Node, which lies beside them. */
function licencesOf(packages: readonly string[]): readonly string[] {
  return ['/usr/local/LICENSE', ...packages.map((name) => `/usr/share/doc/${name}/copyright`)].filter(
    existsSync,
  );
}

/** Says in the service's bill what else is in the image. */
function addToBill(app: string, packages: readonly string[]): void {
  const path = join(app, billName);
  const bill: Bill = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, billText(withComponents(bill, [nodeComponent(), ...packages.map(debianComponent)])));
}

/** Some are registered where they were before they moved. */
function packageOf(file: string): string | undefined {
  const real = realpathSync(file);
  for (const path of [real, file, real.replace(/^\/usr/, '')]) {
    try {
      return output('dpkg-query', '--search', path).split(':')[0];
    } catch {
      // Not by this path.
    }
  }
  return undefined;
}

/** What a link points to is copied by the link's name: nobody else has the file. */
function copy(file: string, root: string): void {
  place(file, join(root, realpathSync(dirname(file)), basename(file)));
}

function place(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
  chmodSync(target, 0o755);
}

/** Git for Windows may have put a CR before the end of each line, and with one in its first line no script finds its shell. */
function placeScript(file: string, target: string): void {
  place(file, target);
  writeFileSync(target, readFileSync(file, 'utf8').replaceAll('\r', ''));
}

function output(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
