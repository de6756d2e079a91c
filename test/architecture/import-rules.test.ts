import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { violations } from './import-rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function read(pattern: string) {
  return globSync(pattern, { cwd: root, exclude: (path) => /node_modules|dist/.test(path) }).map((path) => ({
    path,
    text: readFileSync(`${root}/${path}`, 'utf8'),
  }));
}

/** pnpm has to be told to pass over circles (`ignoreWorkspaceCycles`), and does so with any. */
function isExcepted(from: string, to: string): boolean {
  return from === '@steward/shared' && to === '@steward/testing';
}

const broken = (path: string, text: string) => violations([{ path, text }]);

describe('imports', () => {
  it('point one way in the whole checkout', () => {
    const files = read('{packages/*/{src,test},tools}/**/*.{ts,tsx}');
    expect(files.length).toBeGreaterThan(50);
    expect(violations(files)).toEqual([]);
  });

  it('are declared by the package that has them, with nothing beyond', () => {
    for (const { path, text } of read('{packages/*,tools}/package.json')) {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(text);
      const imports = Object.keys(dependencies).map((name) => `import '${name}/x'`);
      const folder = path.replace('package.json', 'src/dependencies.ts');
      expect(violations([{ path: folder, text: imports.join('\n') }])).toEqual([]);
      expect(Object.keys(devDependencies).filter((name) => Object.hasOwn(dependencies, name))).toEqual([]);
    }
  });

  it('go round in no circle of packages, but for the tests of shared, whose game speaks its protocol', () => {
    const needs = new Map<string, readonly string[]>();
    for (const { text } of read('{packages/*,tools,benchmarks}/package.json')) {
      const { name, dependencies = {}, devDependencies = {} } = JSON.parse(text);
      const all = Object.keys({ ...dependencies, ...devDependencies });
      needs.set(
        name,
        all.filter((each) => each.startsWith('@steward/') && !isExcepted(name, each)),
      );
    }
    expect(needs.size).toBeGreaterThan(10);
    const below = (name: string, seen: readonly string[]): string[] =>
      (needs.get(name) ?? []).flatMap((each) =>
        seen.includes(each) ? [...seen, each] : below(each, [...seen, each]),
      );
    expect([...needs.keys()].flatMap((name) => below(name, [name]))).toEqual([]);
  });

  it('of Node’s http module are one file’s, as each would load all of `fetch` at the start of a process', () => {
    const importing = read('packages/!(testing)/src/**/*.ts')
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .filter(({ text }) => /^import (?!type )[^;]*from 'node:http';/m.test(text));
    expect(importing.map(({ path }) => path)).toEqual([]);
    expect(read('packages/service-kit/src/http/node-http.ts')).toHaveLength(1);
  });

  it.each([
    [
      'packages/shared/src/a.ts',
      "import { b } from '@steward/control-api/b';",
      'shared must not import control-api',
    ],
    [
      'packages/control-api/src/a.ts',
      "import '@steward/platform-auth/b';",
      'control-api must not import platform-auth',
    ],
    [
      'packages/client/src/a.ts',
      "import type { b } from '@steward/shared/b';",
      'client must not import shared',
    ],
    ['packages/client/src/a.ts', "import { z } from 'zod';", 'client must import nothing but its own files'],
    [
      'packages/platform-auth/src/a.ts',
      "await import('@steward/control-api/b');",
      'platform-auth must not import control-api',
    ],
    [
      'packages/control-api/src/a.ts',
      "export { b } from '@steward/simulated-game/b';",
      'must not import simulated-game',
    ],
    [
      'packages/simulated-game/src/a.ts',
      "import type { b } from '@steward/control-api/b';",
      'must not import control-api',
    ],
    [
      'packages/control-api/src/a.ts',
      "import SteamUser from 'steam-user';",
      'control-api must not reach steam-user',
    ],
    [
      'packages/control-api/test/a.ts',
      "import 'steam-session/dist/x.js';",
      'control-api must not reach steam-session',
    ],
    [
      'packages/control-api/src/a.ts',
      "import '../../platform-auth/src/b.ts';",
      'reaches into another package',
    ],
    ['packages/control-api/src/a.ts', "import '@steward/control-api/b';", 'imports itself'],
    ['tools/pages/a.ts', "import '@steward/simulated-game/b';", 'tools must not import simulated-game'],
    ['tools/pages/a.ts', "import '../../packages/shared/src/b.ts';", 'reaches into another package'],
    ['packages/newcomer/src/a.ts', "import 'node:fs';", 'newcomer has no row'],
  ])('in %s, %s is found out', (path, text, words) => {
    expect(broken(path, text)).toEqual([expect.stringContaining(words)]);
  });

  it('of a stand-in are for tests', () => {
    expect(broken('packages/control-api/test/a.test.ts', "import '@steward/platform-emulator/b';")).toEqual(
      [],
    );
    expect(broken('packages/control-api/src/a.test.ts', "import '@steward/simulated-game/b';")).toEqual([]);
  });
});
