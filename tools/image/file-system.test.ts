import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bill, billName, billOf, billText } from '../sbom/bill.ts';
import { fileSystem } from './file-system.ts';

const script = readFileSync(join(import.meta.dirname, 'health.sh'), 'utf8');

let directory: string;
let root: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'steward-image-'));
  root = join(directory, 'root');
  const app = join(directory, 'app');
  mkdirSync(join(app, 'dist'), { recursive: true, mode: 0o700 });
  writeFileSync(join(app, 'dist/main.js'), '');
  writeFileSync(join(app, 'package.json'), '{}', { mode: 0o600 });
  writeFileSync(join(app, billName), billText(billOf({ name: 'a-service', version: '1.2.3' }, [])));
  const health = join(directory, 'health.sh');
  writeFileSync(health, script.replaceAll('\n', '\r\n'));
  fileSystem(app, root, health);
});

afterAll(() => rmSync(directory, { recursive: true }));

it('has the service below /app, and a /tmp for everybody', () => {
  expect(existsSync(join(root, 'app/dist/main.js'))).toBe(true);
  expect(statSync(join(root, 'tmp')).mode & 0o7777).toBe(0o1777);
});

it('has a service that every user can read, also from a checkout that was made under a strict umask', () => {
  expect(statSync(join(root, 'app/package.json')).mode & 0o7777).toBe(0o644);
  expect(statSync(join(root, 'app/dist')).mode & 0o555).toBe(0o555);
});

it('has all that Node and the other programs load', () => {
  const [loader = ''] = globSync('usr/lib*/**/ld-linux*', { cwd: root });
  const libraries = new Set(
    globSync('usr/lib/**/*.so*', { cwd: root }).map((file) => join(root, dirname(file))),
  );
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(
      join(root, loader),
      ['--inhibit-cache', '--library-path', [...libraries].join(':'), program, ...args],
      { encoding: 'utf8', env: {}, stdio: ['ignore', 'pipe', 'inherit'] },
    );
  expect(run(join(root, 'usr/local/bin/node'), '-p', '6 * 7')).toBe('42\n');
  for (const name of ['bash', 'sh'])
    expect(run(join(root, 'usr/bin', name), '-c', 'echo well')).toBe('well\n');
  expect(run(join(root, 'usr/bin/tar'), '--version')).toContain('tar');
});

it('has a health check that Linux runs, also where Git for Windows has checked it out', () => {
  const placed = join(root, 'usr/local/bin/health');
  expect(readFileSync(placed, 'utf8')).toBe(script);
  expect(statSync(placed).mode & 0o7777).toBe(0o755);
});

it('has the licence of each package that a file of it is from', () => {
  const licences = globSync('usr/share/doc/*/copyright', { cwd: root });
  expect(licences).toEqual(
    expect.arrayContaining(['usr/share/doc/libc6/copyright', 'usr/share/doc/bash/copyright']),
  );
});

it('says in the bill of the service what else is in it: Node, and the packages that files are from', () => {
  const bill: Bill = JSON.parse(readFileSync(join(root, 'app', billName), 'utf8'));
  expect(bill.metadata.component.name).toBe('a-service');
  const names = bill.components.map(({ name }) => name);
  // A program, what it loads, and what Node does.
  expect(names).toEqual(expect.arrayContaining(['node', 'bash', 'libtinfo6', 'libc6', 'libstdc++6']));
});

it('has no certificates of a system: as docs/sidecar.md says, NODE_USE_SYSTEM_CA would find none', () => {
  expect(existsSync(join(root, 'etc/passwd'))).toBe(true);
  expect(existsSync(join(root, 'etc/ssl'))).toBe(false);
});

it('is laid out as Debian is, so that Debian can be laid over it', () => {
  expect(readlinkSync(join(root, 'bin'))).toBe('usr/bin');
  expect(readlinkSync(join(root, 'lib'))).toBe('usr/lib');
});
