import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { smallestLines, smallFilesOfOne } from './small-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const measured = 'a process of its own, which is measured';
const group = 'a group of the API, which the next endpoint joins';
const component = 'a part of the page as its neighbours are, which the build sorts by its file';

/** Why each stands alone though it is small and one file alone imports it. */
const reasons: Readonly<Record<string, string>> = {
  'benchmarks/src/status/bare-server.ts': measured,
  'benchmarks/src/status/usual-server.ts': measured,
  'benchmarks/src/start/bare-server.ts': measured,
  'benchmarks/src/http/bare-server.ts': measured,
  'benchmarks/src/download/service.ts': measured,
  'benchmarks/src/backup/packing.ts': measured,
  'packages/control-api/src/http/handlers/chat.ts': group,
  'packages/control-api/src/http/handlers/farms.ts': group,
  'packages/control-api/src/http/handlers/players.ts': group,
  'packages/control-api/src/http/handlers/time.ts': group,
  'packages/shared/src/api/answers/chat.ts': group,
  'packages/shared/src/api/answers/events.ts': group,
  'packages/shared/src/api/answers/samples.ts': group,
  'packages/discord-bot/src/program.ts': 'what the program is, without running it',
  'tools/bundle/bills.ts': 'what a release says of itself, of several bundles',
  'tools/pages/assistants.ts': 'each page has a file that fills it',
  'tools/pages/examples.ts': 'each page has a file that fills it',
  'packages/testing/src/disk-library.ts': 'a benchmark takes it, and tests',
  'packages/testing/src/equal-bytes.ts': 'it is done once a process, what imports it for each file of tests',
  'packages/testing/src/patience.ts': 'it is done once a process, what imports it for each file of tests',
  'packages/testing/src/small-emulator.ts': 'a program of its own',
  'packages/testing/src/hostile/text.ts': 'what makes hostile JSON takes it, and the tests of many packages',
  'packages/shared/src/api/idempotency-key.ts': 'a client takes it without the schemas of its neighbours',
  'packages/control-api/src/compose/dashboard.ts':
    'what the page is made of, as its neighbours compose theirs',
  'packages/control-api/src/document-text.ts':
    'the document for the docs, which the running service never loads',
  'packages/control-api/src/commands/keys.ts': 'a group of commands, as each has',
  'packages/control-api/src/commands/drain.ts': 'a group of commands, as each has',
  'packages/client/src/farm.ts': 'tests take it, with a world of their own',
  'packages/dashboard/src/link-bar.tsx': component,
  'packages/dashboard/src/parts/qr-code.tsx': component,
  'packages/dashboard/src/views/players/players.tsx': component,
  'packages/dashboard/src/parts/older-rows.ts': 'tests take it, which have no page to draw on',
  'packages/dashboard/src/views/time/steps.ts': 'tests take it, which have no page to draw on',
  'packages/local-stack/src/leave-with-parent.ts': 'loaded by --import before the program that it is for',
};

const mostAlone = 40;
const longestLines = 300;
/** Every text of the page, in one file for who translates it. */
const longOnes: readonly string[] = ['packages/dashboard/src/words.ts'];

const lines = (count: number, first = '') => `${first}\n${'const a = 1;\n'.repeat(count - 1)}`;

describe('a file is a whole idea', () => {
  const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'tools/**/*.ts', 'benchmarks/src/**/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules'],
  })
    .filter((path) => !/\.test\.ts$|\/test\/|\/generated\/|node_modules/.test(path))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));

  it('so a small one that one other imports belongs into that, or says here why not', () => {
    expect(smallFilesOfOne(files).toSorted()).toEqual(Object.keys(reasons).toSorted());
  });

  it(`and at most ${mostAlone} say so`, () => {
    expect(Object.keys(reasons).length).toBeLessThanOrEqual(mostAlone);
  });

  it(`and none is longer than ${longestLines} lines`, () => {
    const long = files.filter(({ text }) => text.split('\n').length - 1 > longestLines);
    expect(long.map(({ path }) => path).filter((path) => !longOnes.includes(path))).toEqual([]);
  });
});

describe('a small file of one importer', () => {
  const importer = (path: string, from: string) => ({ path, text: `import { a } from '${from}';\n` });
  const small = { path: 'packages/a/src/room/small.ts', text: lines(smallestLines) };
  const one = importer('packages/a/src/room/one.ts', './small.ts');

  it.each([
    ['found beside its importer', [small, one], true],
    [
      'found by the name of its package',
      [small, importer('packages/b/src/one.ts', '@steward/a/room/small')],
      true,
    ],
    [
      'none where a second one imports it',
      [small, one, importer('packages/a/src/two.ts', './room/small.ts')],
      false,
    ],
    [
      'none where that loads it when somebody needs it',
      [small, { path: one.path, text: "await import('./small.ts');\n" }],
      false,
    ],
    ['none where it is longer', [{ ...small, text: lines(smallestLines + 1) }, one], false],
    ['none where nobody imports it: it is where a program begins', [small], false],
  ])('is %s', (_what, files, isFound) => {
    expect(smallFilesOfOne(files)).toEqual(isFound ? [small.path] : []);
  });
});
