import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** All that lies below a folder, by its path: what it is, its mode, when it was changed last, and of a file what is in it. */
export function treeOf(folder: string, except: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (path: string, name: string) => {
    for (const each of readdirSync(path).toSorted()) {
      const [below, called] = [join(path, each), name === '' ? each : `${name}/${each}`];
      if (except.includes(called)) continue;
      const { mode, mtimeNs } = lstatSync(below, { bigint: true });
      const when = `${(Number(mode) & 0o7777).toString(8)} ${mtimeNs / 1_000n}`;
      if (lstatSync(below).isDirectory()) {
        found[called] = `folder ${when}`;
        look(below, called);
      } else found[called] = `${createHash('sha256').update(readFileSync(below)).digest('hex')} ${when}`;
    }
  };
  look(folder, '');
  return found;
}

export interface TreeFile {
  readonly text: string | Uint8Array;
  readonly mode?: number;
  readonly modifiedAt?: number;
}

/** Writes files and the folders above them; each folder is given the time afterwards that its first file has. */
export function plant(folder: string, files: Readonly<Record<string, TreeFile | string>>): void {
  const folders = new Map<string, number>();
  for (const [name, given] of Object.entries(files)) {
    const {
      text,
      mode = 0o644,
      modifiedAt = 1_700_000_000,
    }: TreeFile = typeof given === 'string' ? { text: given } : given;
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    utimesSync(path, modifiedAt, modifiedAt);
    folders.set(dirname(path), modifiedAt - 60);
  }
  for (const [path, time] of [...folders].toSorted(([one], [other]) => other.length - one.length))
    if (path !== folder) utimesSync(path, time, time);
}

export function emptied(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
