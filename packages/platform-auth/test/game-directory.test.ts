import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { DownloadProblem } from '../src/download/problems/problem.ts';
import { LocalDownload } from './world/local-download.ts';

describe('a GAME_DIR that can be none is told in words', () => {
  it.each([
    ['file', /GAME_DIR \(.*\) is a file\. Set GAME_DIR/],
    ['file/game', /GAME_DIR \(.*\) is below a file/],
    ['dangling', /GAME_DIR \(.*\) is a link to nothing/],
    ['dangling/game', /GAME_DIR \(.*\) cannot be created \(EEXIST\)\. Create it/],
    ['/proc/nowhere/game', /GAME_DIR \(.*\) cannot be created \(ENOENT\)\. Create it/],
    ['circle', /GAME_DIR \(.*\) is a link in a loop/],
  ])('%s', async (name, words) => {
    using directory = temporaryDirectory();
    using world = new LocalDownload();
    const at = (each: string) => join(directory.path, each);
    writeFileSync(at('file'), 'mine');
    symlinkSync(at('nowhere/at/all'), at('dangling'));
    symlinkSync(at('circle'), at('circle'));
    const gameDirectory = name.startsWith('/') ? name : at(name);
    await expect(world.run({ gameDirectory })).rejects.toThrow(words);
    await expect(world.run({ gameDirectory })).rejects.toBeInstanceOf(DownloadProblem);
    if (!name.endsWith('/game') || name.startsWith('file'))
      await expect(world.plan({ gameDirectory })).rejects.toThrow(words);
    expect(readFileSync(at('file'), 'utf8')).toBe('mine');
  });
});

it.each(['.download-manifest-413150', '.download/tree.json', '.download/journal.json'])(
  'a folder in the place of %s is told in words',
  async (name) => {
    using world = new LocalDownload();
    mkdirSync(join(world.directory, name), { recursive: true });
    const words = `${join(world.directory, name)} cannot be read: it is not a file. Move it away`;
    await expect(world.run()).rejects.toThrow(words);
    await expect(world.plan()).rejects.toThrow(words);
  },
);
