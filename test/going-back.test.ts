import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';

const backup = 'steward-backup.tar';
const lines = readFileSync(new URL('../docs/upgrades.md', import.meta.url), 'utf8').split('\n');

/** The volumes of a server, and what an operator does with them by the lines of the page. */
function volumes(directory: string) {
  const data = join(directory, 'volumes');
  const tar = join(directory, 'copy.tar');
  const types = (end: string) => {
    const line = lines.find((each) => each.endsWith(`${end} ${backup}`)) ?? 'false';
    const typed = line
      .replaceAll(/docker compose run --rm --no-deps -T --entrypoint (\S+) server/g, '$1')
      .replaceAll('/data', data)
      .replaceAll(backup, tar);
    execFileSync('sh', ['-c', typed], { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  return {
    tar,
    write(files: Readonly<Record<string, string>>) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(data, name)), { recursive: true });
        writeFileSync(join(data, name), text);
      }
    },
    copies: () => types('>'),
    goesBack: () => types('<'),
    files: () =>
      Object.fromEntries(
        readdirSync(data, { recursive: true, withFileTypes: true })
          .filter((each) => each.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
          .map((path) => [path.slice(data.length + 1), readFileSync(path, 'utf8')]),
      ),
  };
}

const before = { 'state/bans.json': 'before', 'settings/server-settings.json': 'before' };
const since = {
  'state/bans.json': 'since',
  'state/drain.json': 'since',
  'state/steward.db-wal': 'since',
  'state/steward.cursor': 'since',
  'state/farms/Meadow_1/farmhand-ownership.json': 'since',
  'settings/server-settings.json': 'since',
  'settings/server-settings.json.corrupt-1': 'since',
};

describe.runIf(process.platform === 'linux')('going back to the older version', () => {
  it('brings back what was there before the upgrade, and leaves nothing that came since', () => {
    using directory = temporaryDirectory();
    const server = volumes(directory.path);
    server.write({ ...before, 'state/steward.cursor': 'before' });
    server.copies();
    server.write(since);
    server.goesBack();
    expect(server.files()).toEqual(before);
  });

  it('deletes nothing where there is nothing in the backup', () => {
    using directory = temporaryDirectory();
    const server = volumes(directory.path);
    server.write(since);
    writeFileSync(server.tar, '');
    expect(() => server.goesBack()).toThrow(/failed/);
    expect(server.files()).toEqual(since);
  });
});
