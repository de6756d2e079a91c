import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { copyOf } from '../packages/control-api/src/store/prepare-database.ts';
import { databaseName } from '../packages/control-api/src/store/store.ts';
import { migrations } from '../packages/control-api/src/store/tables/schema.ts';
import { openedStore } from '../packages/control-api/test/store/opened-store.ts';

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
  // Of a game that saves below its HOME, and of a restore that was interrupted.
  'state/.config/StardewValley/Saves/Riverbend_2/Riverbend_2': 'since',
  'state/.steward-restore/leaving/Meadow_1': 'since',
  'settings/.steward-restore/coming/server-settings.json': 'since',
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

it('has only the last line of an upgrade that failed run again, as the others write over what leads back', () => {
  const after = lines.slice(lines.findIndex((line) => line.startsWith('git switch main && git pull ')));
  expect(after.slice(1, 4)).toEqual([
    '```',
    '',
    expect.stringMatching(/^If the last line fails, run only that line again: /),
  ]);
});

const olderVersion = migrations.length;
const newer = { migrations: [...migrations, 'create table newer (id integer) strict'] };

/** What an operator of a pod types while the older version runs there. */
function typesInThePod(state: string): void {
  const page = readFileSync(new URL('../docs/kubernetes.md', import.meta.url), 'utf8');
  const [, line = 'false'] = /^ *kubectl .* -- sh -c '([^']*> steward\.db)'$/m.exec(page) ?? [];
  const typed = line.replace('/data/state', state).replaceAll('<version>', String(olderVersion));
  execFileSync('sh', ['-c', typed], { stdio: ['ignore', 'ignore', 'pipe'] });
}

describe.runIf(process.platform === 'linux')('going back on Kubernetes', () => {
  it('puts back the database of before the upgrade under the older version, which leaves it alone as it stops', async () => {
    using directory = temporaryDirectory();
    const state = directory.path;
    for (const parts of [{}, newer]) {
      const { store, events } = openedStore(state, parts);
      store.start();
      events.append({ id: 1, topic: 'chat' });
      await store.close();
    }
    const running = openedStore(state);
    running.store.start();
    expect(running.store.problem?.reason).toContain('newer version');
    typesInThePod(state);
    running.events.append({ id: 2, topic: 'chat' });
    await running.store.close();
    const copy = copyOf(databaseName, olderVersion);
    expect(readdirSync(state).toSorted()).toEqual([databaseName, copy]);
    expect(readFileSync(join(state, databaseName))).toEqual(readFileSync(join(state, copy)));
    const again = openedStore(state);
    expect(again.store.problem).toBeUndefined();
    expect(again.lines.map(({ message }) => message).join()).toContain('starts a new range of cursors');
    await again.store.close();
  });

  it('deletes nothing in a pod whose upgrade made no copy', () => {
    using directory = temporaryDirectory();
    const left = [databaseName, `${databaseName}-wal`, 'steward.cursor'];
    for (const name of left) writeFileSync(join(directory.path, name), 'since');
    expect(() => typesInThePod(directory.path)).toThrow(/failed/);
    expect(left.map((name) => readFileSync(join(directory.path, name), 'utf8'))).toEqual(
      left.map(() => 'since'),
    );
  });
});
