import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { damaged } from '@steward/testing/hostile/bytes';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { Program } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ThreadArchivist } from '../../src/backups/archive/thread-archivist.ts';
import { unpack } from '../../src/backups/archive/unpack.ts';
import { BackupDirectory } from '../../src/backups/backup-directory.ts';
import { importSave } from '../../src/backups/import-save.ts';
import { readSave, SaveError } from '../../src/backups/saves.ts';
import { asMortal } from './stage/as-mortal.ts';
import { type Zipped, zipOf } from './stage/zips.ts';

const name = 'Sunnybrook_398472611';
const info =
  '﻿<?xml version="1.0" encoding="utf-8"?><Farmer><name>Robin</name><items><Item><name>Hay</name><farmName>no</farmName></Item></items><farmName>Sunny &amp; Brook</farmName><dayOfMonthForSaveGame>4</dayOfMonthForSaveGame><seasonForSaveGame>2</seasonForSaveGame><yearForSaveGame>3</yearForSaveGame><gameVersion>1.6.15</gameVersion></Farmer>';
const save =
  '<SaveGame><player><farmName>Sunny &amp; Brook</farmName></player><currentSeason>fall</currentSeason><dayOfMonth>4</dayOfMonth><year>3</year><uniqueIDForThisGame>398472611</uniqueIDForThisGame></SaveGame>';
const files: Readonly<Record<string, string>> = {
  [name]: save,
  SaveGameInfo: info,
  [`${name}_old`]: 'anything',
  SaveGameInfo_old: 'anything',
};

/** As short as a file of kilobytes in a zip. */
const endless = 'a'.repeat(17 * 1_024 ** 2);

const archivist = new ThreadArchivist();

function stage() {
  const directory = temporaryDirectory();
  const at = (...names: string[]) => join(directory.path, ...names);
  return {
    at,
    write(folder: string, content: Readonly<Record<string, string>> = files) {
      mkdirSync(at(folder), { recursive: true });
      for (const [file, text] of Object.entries(content)) writeFileSync(at(folder, file), text);
    },
    zip: (entries: readonly Zipped[]) => writeFileSync(at('save.zip'), zipOf(entries)),
    import: (from: string, which?: string) =>
      importSave({
        from: at(from),
        save: which,
        directory: new BackupDirectory({ path: at('backups'), archivist }),
        archivist,
        version: '0.1.0',
        now: new Date('2026-11-22T19:00:00.000Z'),
      }),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

const zipped = (prefix: string, content = files): Zipped[] =>
  Object.entries(content).map(([file, text]) => ({ name: `${prefix}${file}`, content: text }));

const unmarked = (file: Zipped): Zipped => ({ ...file, flags: 0 });

/** Why it is not taken; nothing may be left of it. */
async function reasonFor(farm: ReturnType<typeof stage>, from = 'save.zip', which?: string): Promise<string> {
  const error = await withstandAsync(() =>
    farm.import(from, which).then(
      () => undefined,
      (each) => each,
    ),
  );
  expect(error).toBeInstanceOf(SaveError);
  expect(readdirSync(farm.at()).filter((each) => each !== 'backups')).toEqual([from.split('/')[0]]);
  expect(readdirSync(farm.at('backups'))).toEqual([]);
  return (error as SaveError).message;
}

describe('a save that the game made elsewhere becomes a backup:', () => {
  it.each([
    ['a folder', name],
    ['a folder of saves', '.'],
    ['a zip', 'save.zip'],
    ['a zip of a folder of saves', 'deep.zip'],
  ])('%s', async (_what, from) => {
    using farm = stage();
    farm.write(name);
    farm.zip([
      { name: `${name}/`, method: 0 },
      ...zipped(`${name}/`),
      { name: `__MACOSX/${name}/._x`, mode: 0o120777 },
    ]);
    writeFileSync(farm.at('deep.zip'), zipOf(zipped(`Saves/mine/${name}/`)));
    const { backup } = await farm.import(from);
    expect(backup).toMatchObject({
      why: 'imported',
      parts: ['saves'],
      farm: { farmId: name, farmName: 'Sunny & Brook', day: 4, season: 'fall', year: 3 },
    });
    const [file = '', ...others] = readdirSync(farm.at('backups'));
    expect(others).toEqual([]);
    mkdirSync(farm.at('back'));
    await unpack(farm.at('backups', file), { saves: farm.at('back') });
    for (const [each, text] of Object.entries(files))
      expect(readFileSync(farm.at('back', name, each), 'utf8')).toBe(text);
  });
});

it.each<[string, (text: string) => string | Buffer]>([
  ['its names are UTF-8, as one of macOS', (text) => text],
  [
    'its names are of a western code page, as one of Windows',
    (text) => Buffer.from(text.replaceAll('ö', '\u0094').replaceAll('ß', '\u00e1'), 'latin1'),
  ],
])('keeps the name that a save has in a zip that does not say that %s', async (_what, written) => {
  using farm = stage();
  const german = name.replace('Sunnybrook', 'Größe');
  const named = (text: string) => text.replaceAll('Sunny &amp; Brook', 'Größe');
  const entries = zipped(`${german}/`, { [german]: named(save), SaveGameInfo: named(info) });
  farm.zip(entries.map((each) => unmarked({ ...each, name: written(String(each.name)) })));
  await farm.import('save.zip');
  const [file = ''] = readdirSync(farm.at('backups'));
  mkdirSync(farm.at('back'));
  await unpack(farm.at('backups', file), { saves: farm.at('back') });
  expect(readFileSync(farm.at('back', german, german), 'utf8')).toBe(named(save));
});

it.each([
  ['Polish', [0x88]],
  ['Turkish', [0xa7, 0x9f]],
  ['Japanese', [0x83, 0x7d, 0x83, 0x8d]],
])(
  'takes no save whose name in the zip is in a %s code page, and reads as western letters',
  async (_where, bytes) => {
    using farm = stage();
    const written = (text: string) => Buffer.concat([Buffer.from(bytes), Buffer.from(text)]);
    const folder = `_${name}`;
    const names = ['SaveGameInfo', folder] as const;
    farm.zip(
      names.map((file) =>
        unmarked({
          name: Buffer.concat([
            written(folder),
            Buffer.from('/'),
            file === folder ? written(file) : Buffer.from(file),
          ]),
          content: file === folder ? save : info,
        }),
      ),
    );
    expect(await reasonFor(farm)).toMatch(
      /in an encoding that the zip does not state: import the folder instead$/,
    );
  },
);

describe('a save is not taken', () => {
  it.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ['without its main file', { [name]: undefined }, 'there is no save in it'],
    ['without its small file', { SaveGameInfo: undefined }, 'there is no save in it'],
    ['whose main file is cut off', { [name]: save.slice(0, -20) }, `${name} is not a complete XML file`],
    [
      'whose small file is cut off',
      { SaveGameInfo: info.slice(0, -20) },
      'SaveGameInfo is not a complete XML file',
    ],
    ['that is no XML', { SaveGameInfo: 'hello' }, 'SaveGameInfo is not a complete XML file'],
    ['that is empty', { [name]: '' }, `${name} is not a complete XML file`],
    [
      'that is of another day',
      { [name]: save.replace('>4<', '>5<') },
      `${name} and SaveGameInfo disagree: the day is 5, and 4`,
    ],
    [
      'that is of another farm',
      { [name]: save.replace('Sunny &', 'Rainy &') },
      'disagree: the farm is Rainy & Brook',
    ],
    [
      'of another number',
      { [name]: save.replace('398472611', '1') },
      'its folder disagree: the number is 1, and 398472611',
    ],
    ['that names no farm', { SaveGameInfo: '<Farmer/>' }, 'SaveGameInfo names no farm'],
    [
      'with entities of its own',
      { SaveGameInfo: `<!DOCTYPE a [<!ENTITY b "c">]>${info.slice(info.indexOf('<Farmer'))}` },
      'has a document type',
    ],
    ['that is nested without end', { SaveGameInfo: '<a>'.repeat(100_000) }, 'nested too deeply'],
    ['with a text without end', { [name]: `<SaveGame>${endless}</SaveGame>` }, 'without an element'],
    [
      'with a comment without end',
      { [name]: `<SaveGame><!--${endless}--></SaveGame>` },
      'without an element',
    ],
    ['with an attribute without end', { [name]: `<SaveGame a="${endless}"/>` }, 'without an element'],
    [
      'with attributes without end',
      { [name]: `<SaveGame ${Array.from({ length: 1_000 }, (_, n) => `a${n}=""`).join(' ')}/>` },
      'too many attributes',
    ],
    ['with entities without end', { [name]: `<SaveGame>&${endless};</SaveGame>` }, 'without an element'],
  ])('%s', async (_what, changed, reason) => {
    using farm = stage();
    const content = Object.fromEntries(
      Object.entries({ ...files, ...changed }).filter(
        (each): each is [string, string] => each[1] !== undefined,
      ),
    );
    farm.write(name, content);
    expect(await reasonFor(farm, name)).toContain(reason);
  });

  it('where there are several, until it is said which', async () => {
    using farm = stage();
    const other = name.replace('Sunny', 'Rainy');
    farm.write(`saves/${name}`);
    farm.write(`saves/${other}`, { [other]: save, SaveGameInfo: info });
    expect(await reasonFor(farm, 'saves')).toBe(
      `there are several saves in it: choose one with --save: ${other}, ${name}`,
    );
    expect(await reasonFor(farm, 'saves', 'None_1')).toContain('there is no save None_1 in it');
    expect((await farm.import('saves', other)).backup.farm.farmId).toBe(other);
  });

  it('where a zip has two of one name, until it is said by its path which', async () => {
    using farm = stage();
    farm.zip([...zipped(`${name}/`), ...zipped(`old/${name}/`, { ...files, more: 'x' })]);
    const several = `there are several saves in it: choose one with --save: ${name}, old/${name}`;
    expect(await reasonFor(farm)).toBe(several);
    expect(await reasonFor(farm, 'save.zip', 'None_1')).toContain(`only ${name}, old/${name}`);
    const [top, old] = [await farm.import('save.zip', name), await farm.import('save.zip', `old/${name}`)];
    expect(old.backup.farm).toEqual(top.backup.farm);
    for (const { backup } of [top, old]) {
      const back = farm.at(backup.id);
      mkdirSync(back);
      await unpack(farm.at('backups', `${backup.id}.steward.tar.zst`), { saves: back });
      expect(existsSync(join(back, name, 'more'))).toBe(backup === old.backup);
    }
  });

  it('that is not there, or is no file', async () => {
    using farm = stage();
    mkdirSync(farm.at('backups'));
    await expect(farm.import('none')).rejects.toThrow('there is no such folder or zip');
    execFileSync('mkfifo', [farm.at('pipe')]);
    await expect(farm.import('pipe')).rejects.toThrow('there is no such folder or zip');
  });

  it('whose small file has become a pipe since it was looked at, which is not waited for', async () => {
    using farm = stage();
    farm.write(name);
    rmSync(farm.at(name, 'SaveGameInfo'));
    execFileSync('mkfifo', [farm.at(name, 'SaveGameInfo')]);
    await expect(readSave(farm.at(name))).rejects.toThrow('SaveGameInfo is not a complete XML file');
  });

  it('with its links, which are left out and told', async () => {
    using farm = stage();
    farm.write(name);
    symlinkSync('/etc/passwd', farm.at(name, 'link'));
    expect((await farm.import(name)).leftOut).toEqual([`saves/${name}/link`]);
  });
});

describe('what cannot be read is called neither missing nor damaged:', () => {
  it.each([
    ['a save', name, name],
    ['a folder of saves', 'saves', 'saves'],
    ['the only save in a folder', 'saves', `saves/${name}`],
    ['a zip', 'save.zip', 'save.zip'],
  ])('%s', (_what, from, closed) => {
    using farm = stage();
    for (const folder of [name, `saves/${name}`]) farm.write(folder);
    farm.zip(zipped(`${name}/`));
    const mode = statSync(farm.at(closed)).mode & 0o777;
    chmodSync(farm.at(closed), 0);
    const { code, stderr } = asMortal({ BACKUP_DIR: farm.at('backups') }, 'import', farm.at(from));
    chmodSync(farm.at(closed), mode);
    expect(code).toBe(1);
    expect(stderr).toMatch(/: it cannot be read \(EACCES\): let user \d+, who runs this command, read it\n$/);
    expect(readdirSync(farm.at('backups'))).toEqual([]);
  });

  it('the save that is chosen, beside one that can be read', () => {
    using farm = stage();
    farm.write(`saves/${name}`);
    mkdirSync(farm.at('saves/Others_1'), { mode: 0 });
    const chosen = ['import', farm.at('saves'), '--save', 'Others_1'];
    const { code, stderr } = asMortal({ BACKUP_DIR: farm.at('backups') }, ...chosen);
    chmodSync(farm.at('saves/Others_1'), 0o700);
    expect(code).toBe(1);
    expect(stderr).toMatch(/: it cannot be read \(EACCES\): let user \d+, who runs this command, read it\n$/);
    expect(readdirSync(farm.at('backups'))).toEqual([]);
  });

  it('a folder beside a save, which is taken', () => {
    using farm = stage();
    farm.write(`saves/${name}`);
    mkdirSync(farm.at('saves/Others_1'), { mode: 0 });
    const { code } = asMortal({ BACKUP_DIR: farm.at('backups') }, 'import', farm.at('saves'));
    chmodSync(farm.at('saves/Others_1'), 0o700);
    expect(code).toBe(0);
    expect(readdirSync(farm.at('backups'))).toHaveLength(1);
  });
});

describe('a zip is refused, and nothing of it is left,', () => {
  const good = zipped(`${name}/`);
  it.each<[string, readonly Zipped[], string]>([
    [
      'with a way out of it',
      [...good, { name: '../escaped' }],
      'it is not a complete zip: invalid relative path',
    ],
    ['with a way out below', [...good, { name: `${name}/../../escaped` }], 'invalid relative path'],
    ['with a way from the top', [...good, { name: '/etc/escaped' }], 'absolute path'],
    ['with a drive', [...good, { name: 'C:/escaped' }], 'absolute path'],
    ['with a way out for Windows', [...good, { name: `${name}\\..\\..\\escaped` }], 'invalid relative path'],
    ['with control characters', [...good, { name: `${name}/a\nb` }], 'control characters'],
    [
      'with a way out in an unmarked name',
      [...good, unmarked({ name: 'ö/../../x' })],
      'invalid relative path',
    ],
    ['with control characters in an unmarked name', [...good, unmarked({ name: 'ö\u0085' })], 'control char'],
    [
      'with a name in a code page of the east',
      [...good, unmarked({ name: Buffer.from([0x94, 0xa5, 0xe0, 0xac, 0xa0]) })],
      'has a name in an encoding that the zip does not state: import the folder instead',
    ],
    [
      'with a name in an unknown encoding',
      [...good, unmarked({ name: Buffer.from('Größe', 'latin1') })],
      'has a name in an encoding that the zip does not state: import the folder instead',
    ],
    ['with an empty name', [...good, { name: `${name}//b` }], 'is no name'],
    ['with a link', [...good, { name: `${name}/link`, content: '/etc/passwd', mode: 0o120777 }], 'is a link'],
    ['with a device', [...good, { name: `${name}/device`, mode: 0o020666 }], 'is a link, or not a file'],
    [
      'with a password',
      [...good.slice(1), { name: `${name}/${name}`, content: save, flags: 0x801 }],
      'is encrypted',
    ],
    ['with another compression', [...good, { name: `${name}/x`, method: 12 }], 'uses an unknown compression'],
    ['with something twice', [...good, ...good], 'is in it twice'],
    [
      'with another checksum',
      [...good.slice(1), { name: `${name}/${name}`, content: save, crc: 1 }],
      'is damaged in the zip',
    ],
    [
      'with more than it says',
      [...good.slice(1), { name: `${name}/${name}`, content: save, bytes: 10 }],
      'it is not a complete zip',
    ],
    [
      'with a bomb',
      [...good, { name: `${name}/bomb`, content: Buffer.alloc(50_000_000), bytes: 1_000 }],
      'it is not a complete zip',
    ],
    [
      'with a bomb that it admits to',
      [...good, ...[1, 2].map((n) => ({ name: `${name}/bomb${n}`, content: 'x', bytes: 3_000_000_000 }))],
      'more than 20000 files or',
    ],
    [
      'with a folder that is a file',
      [{ name: `${name}/a` }, ...good, { name: `${name}/a/b` }],
      'it is not a complete zip',
    ],
    ['with the save’s files alone', zipped(''), 'there is no save in it'],
  ])('%s', async (_what, entries, reason) => {
    using farm = stage();
    farm.zip(entries);
    expect(await reasonFor(farm)).toContain(reason);
  });

  it('when it is cut off or damaged anywhere, or taken as it was', async () => {
    const whole = zipOf(good);
    await fc.assert(
      fc.asyncProperty(damaged(fc.constant(whole)), async (bytes) => {
        using farm = stage();
        writeFileSync(farm.at('save.zip'), bytes);
        const taken = await withstandAsync(() =>
          farm.import('save.zip').then(
            () => true,
            (error) => error,
          ),
        );
        if (taken !== true) expect(taken).toBeInstanceOf(SaveError);
        expect(readdirSync(farm.at()).toSorted()).toEqual(['backups', 'save.zip']);
        expect(readdirSync(farm.at('backups'))).toHaveLength(taken === true ? 1 : 0);
      }),
      { numRuns: count({ small: 30, long: 3_000 }) },
    );
  });
});

it('is a command that says what it made, or what is wrong, to people and to scripts', async () => {
  using farm = stage();
  farm.write(name);
  const run = (args: readonly string[], environment = {}) =>
    new Program('packages/control-api/src/main.ts', ['import', ...args], {
      BACKUP_DIR: farm.at('backups'),
      ...environment,
    });
  await using made = run([farm.at(name)]);
  expect(await made.exited).toMatchObject({ code: 0 });
  expect(readdirSync(farm.at('backups'))).toEqual([`${made.stdout[0]}.steward.tar.zst`]);
  expect(made.stderr.join()).toContain('of "Sunny & Brook", fall 4 of year 3');
  await using wrong = run([farm.at('backups')]);
  expect(await wrong.exited).toMatchObject({ code: 1 });
  expect(wrong.stderr.join()).toContain('there is no save in it');
  await using nowhere = run([farm.at(name)], { BACKUP_DIR: '' });
  expect(await nowhere.exited).toMatchObject({ code: 1 });
  await using nothing = run([]);
  expect(await nothing.exited).toMatchObject({ code: 2 });
  expect(nothing.stderr.join()).toContain('import needs <folder or zip>');
});

it.runIf(process.platform === 'linux')(
  'is taken from a zip where no mode and no time of a file can be changed, as on a share',
  async () => {
    using farm = stage();
    farm.zip(zipped(`${name}/`));
    await using made = new Program('packages/control-api/src/main.ts', ['import', farm.at('save.zip')], {
      BACKUP_DIR: farm.at('backups'),
      ...diskLibrary(farm.at()),
      FIXED_MODES: 'yes',
    });
    expect(await made.exited).toMatchObject({ code: 0 });
    expect(readdirSync(farm.at('backups'))).toEqual([`${made.stdout[0]}.steward.tar.zst`]);
  },
);

it.runIf(process.platform === 'linux')(
  'is told as what it is where the disk is full as a zip is unpacked: no damage of the zip',
  async () => {
    using farm = stage();
    farm.zip(zipped(`${name}/`));
    await using refused = new Program('packages/control-api/src/main.ts', ['import', farm.at('save.zip')], {
      BACKUP_DIR: farm.at('backups'),
      ...diskLibrary(farm.at()),
      FULL_WHILE: farm.at('save.zip'),
    });
    expect(await refused.exited).toMatchObject({ code: 1 });
    expect(refused.stderr.join('\n')).toContain(
      'save.zip: there is no room to unpack it in BACKUP_DIR (ENOSPC): free some space there',
    );
    expect(readdirSync(farm.at('backups'))).toEqual([]);
  },
);
