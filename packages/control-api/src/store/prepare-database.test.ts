import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { suspect } from './open-database.ts';
import { copyOf, prepareDatabase, suspicionOf } from './prepare-database.ts';
import { numberOf } from './tables/database.ts';
import { migrations } from './tables/schema.ts';

const now = () => new Date('2026-11-21T06:30:00.000Z');
const first = 'create table a (n integer primary key, x text) strict';
const second = 'alter table a add column y integer';
const third = 'create table b (n integer primary key) strict';

/** Of each migration its SHA-256: a new one adds its own here. */
const released = [
  'cbda3d4f610e84c738198485a8fef176970dce115df89cafe88de4bb9615c14d',
  '769d178c62e6a2fb02125861eb1ce3224b4e91ddff4b3c9d88b0043484ae2a5e',
  '62f98668df72fa4d4485517aa58da102c828d94d9631dccc2ab0a3b3b64477f0',
  'e1bd2de88070ed296b54d21c683f714f29fbdc59cb3d0b68d95bdb198e7809db',
  '3b0cdd65598f51cae59f0c831f76db8cca1f0d369e5791a3c6fa9999bd06d1f1',
];

function prepare(path: string, parts: Partial<Parameters<typeof prepareDatabase>[0]> = {}) {
  return prepareDatabase({ path, journal: 'wal', now, ...parts });
}

function ready(...asked: Parameters<typeof prepare>) {
  const found = prepare(...asked);
  if (found.kind !== 'ready') throw new Error(found.reason);
  return found;
}

/** Rows enough for several pages, and closed in order. */
function filled(path: string): void {
  const { database } = ready(path, { migrations: [first] });
  const insert = database.prepare('insert into a (x) values (?)');
  database.exec('begin');
  for (let row = 0; row < 200; row += 1) insert.run('x'.repeat(200));
  database.exec('commit');
  database.close();
}

describe('the database', () => {
  it('is made with pages that can be given back, in WAL, at the current version', () => {
    using directory = temporaryDirectory();
    const { database, journal } = ready(join(directory.path, 'a.db'));
    const incremental = 2;
    expect([journal, numberOf(database, 'auto_vacuum'), numberOf(database, 'user_version')]).toEqual([
      'wal',
      incremental,
      migrations.length,
    ]);
    database.close();
    expect(readdirSync(directory.path)).toEqual(['a.db']);
  });

  it('has a rollback journal where that is asked for, also when it had WAL before', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    const { database, journal } = ready(path, { journal: 'rollback', migrations: [first] });
    expect(journal).toBe('rollback');
    database.exec("insert into a (x) values ('y')");
    // Nobody is kept out but for as long as something is written.
    using reading = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    expect(reading.prepare('select count(*) as rows from a').get()).toEqual({ rows: 201 });
    database.close();
  });

  it('is brought up to the current version, with a copy of what it was', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    writeFileSync(`${copyOf(path, 1)}.new`, 'cut off');
    const { database } = ready(path, { migrations: [first, second] });
    expect(database.prepare('select count(*) as rows, max(y) as y from a').get()).toEqual({
      rows: 200,
      y: null,
    });
    database.close();
    expect(readdirSync(directory.path)).toEqual(['a.db', 'a.db.1']);
    expect(statSync(copyOf(path, 1)).mode & 0o777).toBe(0o600);
    const before = ready(copyOf(path, 1), { migrations: [first] });
    expect(before.database.prepare('select count(*) as rows from a').get()).toEqual({ rows: 200 });
    before.database.close();
  });

  it('keeps only the copy from before the last migration, however many there were', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    ready(path, { migrations: [first, second] }).database.close();
    ready(path, { migrations: [first, second, third] }).database.close();
    expect(readdirSync(directory.path)).toEqual(['a.db', 'a.db.2']);
    const before = ready(copyOf(path, 2), { migrations: [first, second] });
    expect(before.database.prepare('select count(*) as rows from a').get()).toEqual({ rows: 200 });
    before.database.close();
  });

  it('is brought up also beside an older copy that cannot be removed', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    ready(path, { migrations: [first, second] }).database.close();
    rmSync(copyOf(path, 1));
    mkdirSync(copyOf(path, 1));
    const { database } = ready(path, { migrations: [first, second, third] });
    expect(numberOf(database, 'user_version')).toBe(3);
    database.close();
    expect(readdirSync(directory.path)).toEqual(['a.db', 'a.db.1', 'a.db.2']);
  });

  it('is as it was after a migration that fails', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    expect(() => prepare(path, { migrations: [first, `${second}; no SQL`] })).toThrow(/syntax error/);
    const { database } = ready(path, { migrations: [first] });
    expect(database.prepare('select * from a limit 1').get()).not.toHaveProperty('y');
    database.close();
  });

  it('of a newer version is left byte for byte, also with its journal', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    const reason = /newer version of this program \(format 1; this one reads up to 0\)/;
    const all = () => readdirSync(directory.path).map((name) => readFileSync(join(directory.path, name)));
    const closed = all();
    expect(prepare(path, { migrations: [] })).toMatchObject({
      kind: 'newer',
      reason: expect.stringMatching(reason),
    });
    expect(all()).toEqual(closed);

    // Its process was killed: what it wrote last is in the journal alone.
    const { database } = ready(path, { migrations: [first, second] });
    database.exec('pragma wal_autocheckpoint=0; pragma user_version=7');
    const open = readFileSync(path);
    expect(prepare(path, { migrations: [first] })).toMatchObject({
      kind: 'newer',
      reason: expect.stringMatching(/format 7/),
    });
    expect(readFileSync(path)).toEqual(open);
    database.close();
  });

  it.each([
    ['garbage', (bytes: Buffer) => Buffer.alloc(bytes.length, 'no database ')],
    ['shorter than its header', () => Buffer.from('no database')],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 5_000)],
  ])('that is %s is kept aside, and a new one takes its place', (_how, damaged) => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    const bytes = damaged(readFileSync(path));
    writeFileSync(path, bytes);
    const { database, aside = '' } = ready(path, { migrations: [first] });
    expect(database.prepare('select count(*) as rows from a').get()).toEqual({ rows: 0 });
    database.close();
    expect(aside).toBe(`${path}.corrupt-20261121063000000`);
    expect(readFileSync(aside)).toEqual(bytes);
  });

  it('that is a pipe, with or without a journal, is kept aside, and waits for nobody', () => {
    for (const journal of ['', '-wal']) {
      using directory = temporaryDirectory();
      const path = join(directory.path, 'a.db');
      execFileSync('mkfifo', [path]);
      if (journal !== '') writeFileSync(`${path}${journal}`, '');
      const { database, aside = '' } = ready(path, { migrations: [first] });
      database.close();
      expect(lstatSync(aside).isFIFO()).toBe(true);
      expect(statSync(path).isFile()).toBe(true);
    }
  });

  it('is suspected without a word into where a link leads', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    const kept = join(directory.path, 'kept');
    writeFileSync(kept, 'as it is');
    symlinkSync(kept, suspicionOf(path));
    suspect(path);
    suspect(path);
    expect(readFileSync(kept, 'utf8')).toBe('as it is');
  });

  it('is looked through after damage was met in it, and only then', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'a.db');
    filled(path);
    const bytes = readFileSync(path);
    bytes.fill(0xee, 12_288, 16_384);
    writeFileSync(path, bytes);
    ready(path, { migrations: [first] }).database.close();
    writeFileSync(suspicionOf(path), '');
    const { database, aside } = ready(path, { migrations: [first] });
    database.close();
    expect(aside).toMatch(/corrupt/);
    expect(readdirSync(directory.path)).toEqual(['a.db', 'a.db.corrupt-20261121063000000']);
  });
});

it('a migration is what it was when it was released', () => {
  expect(
    migrations.map((sql) => createHash('sha256').update(sql).digest('hex')),
    'what a migration made is on people’s disks, and it never runs there again: leave it, and add a new one',
  ).toEqual(released);
});
