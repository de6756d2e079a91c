import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { DownloadProblem } from '../src/download/problem.ts';
import { LocalDownload } from './world/local-download.ts';

describe('a GAME_DIR that can be none is told in words', () => {
  it.each([
    ['file', /GAME_DIR \(.*\) is a file\. Set GAME_DIR/],
    ['file/game', /GAME_DIR \(.*\) lies below a file/],
    ['dangling', /GAME_DIR \(.*\) is a link to a place where nothing is/],
    ['dangling/game', /in GAME_DIR|GAME_DIR has to have a folder/],
    ['circle', /GAME_DIR \(.*\) is a link that leads round in a circle/],
  ])('%s', async (name, words) => {
    using directory = temporaryDirectory();
    using world = new LocalDownload();
    const at = (each: string) => join(directory.path, each);
    writeFileSync(at('file'), 'mine');
    symlinkSync(at('nowhere/at/all'), at('dangling'));
    symlinkSync(at('circle'), at('circle'));
    const gameDirectory = at(name);
    await expect(world.run({ gameDirectory })).rejects.toThrow(words);
    await expect(world.run({ gameDirectory })).rejects.toBeInstanceOf(DownloadProblem);
    if (name !== 'dangling/game') await expect(world.plan({ gameDirectory })).rejects.toThrow(words);
    expect(readFileSync(at('file'), 'utf8')).toBe('mine');
  });
});
