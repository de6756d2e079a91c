import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, type Depot } from '@steward/platform-emulator/depot/depot';
import type { GameDepots } from '@steward/platform-emulator/depot/game/build-game';
import { languageCodes } from '../../src/download/filter/languages.ts';

/** A tree in comparable form: a line a name, with what is there. */
export type Tree = Readonly<Record<string, string>>;

const workNames = ['.download', '.download-manifest-413150'];

/** What is in a directory, but for what the downloader keeps for itself. */
export function treeOn(directory: string): Tree {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((name) => !workNames.some((work) => name === work || name.startsWith(`${work}/`)));
  return sorted(entries.map((name) => [name, onDisk(join(directory, name))]));
}

function onDisk(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (found.isDirectory()) return 'directory';
  return fileLine(readFileSync(path), (found.mode & 0o111) !== 0);
}

function fileLine(content: Buffer, executable: boolean): string {
  return `${executable ? 'program' : 'file'} of ${content.length}, ${createHash('sha1').update(content).digest('hex')}`;
}

/** The depots of the game that are for 64-bit Linux in English, in the platform's order. */
export function depotsForLinux(game: GameDepots): readonly Depot[] {
  return [game.linux, game.common, game.desktop];
}

const libraries = ['libGalaxy64.so', 'libGalaxyCSharpGlue.so'];
const stackFlagsAt = 68;

/** What a download of the builder's depots is to end as: said once more, from the spec and without the code under test. */
export function expectedTree(
  depots: readonly Depot[],
  languages: readonly string[],
  sdk: readonly Depot[],
  keepsToo: (name: string) => boolean,
): Tree {
  const kept = depots.flatMap(({ files }) =>
    files
      .map((file) => ({ ...file, name: file.name.replaceAll('\\', '/') }))
      .filter(({ name }) => keepsToo(name) || !isStripped(name, languages)),
  );
  const inSdk = sdk.flatMap(({ files }) =>
    files.map((file) => ({ ...file, name: `.steam-sdk/${file.name}` })),
  );
  const names = new Set(kept.map(({ name }) => name));
  const lines: [string, string][] = [];
  for (const file of [...kept, ...inSdk]) {
    const parts = file.name.split('/');
    for (let depth = 1; depth < parts.length; depth += 1)
      lines.push([parts.slice(0, depth).join('/'), 'directory']);
    if (file.kind === 'directory') lines.push([file.name, 'directory']);
    else if (file.kind === 'symlink') lines.push([file.name, `link to ${file.target}`]);
    else {
      const content = contentOf(file.content);
      const bytes = Buffer.from(content.read(0, content.size));
      lines.push([file.name, fileLine(asPublished(file.name, bytes, names), file.executable === true)]);
    }
  }
  return sorted(lines);
}

function asPublished(name: string, content: Buffer, names: ReadonlySet<string>): Buffer {
  if (libraries.includes(name)) content[stackFlagsAt] = 6;
  if (name !== 'Content/ContentHashes.json') return content;
  const entries = Object.entries(JSON.parse(content.toString()));
  return Buffer.from(
    JSON.stringify(Object.fromEntries(entries.filter(([key]) => names.has(`Content/${key}`)))),
  );
}

function isStripped(name: string, languages: readonly string[]): boolean {
  const gone = languageCodes.filter((code) => !languages.includes(code));
  if (/^Content\/XACT\/Wave Bank(\(1\.4\))?\.xwb$/.test(name)) return true;
  if (gone.some((code) => name.endsWith(`.${code}.xnb`))) return true;
  const families = [
    ['zh-CN', 'Content/Fonts/Chinese'],
    ['ja-JP', 'Content/Fonts/Japanese'],
    ['ko-KR', 'Content/Fonts/Korean'],
  ] as const;
  return families.some(([code, prefix]) => name.startsWith(prefix) && gone.includes(code));
}

function sorted(lines: readonly (readonly [string, string])[]): Tree {
  return Object.fromEntries(lines.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
