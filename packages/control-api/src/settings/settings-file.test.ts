import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { SettingsFile } from './settings-file.ts';

const isRoot = process.getuid?.() === 0;

describe('the settings file', () => {
  it.each([0o664, 0o600, 0o646])('keeps its mode %o, whatever the umask', async (mode) => {
    using directory = temporaryDirectory();
    const file = new SettingsFile(`${directory.path}/settings.json`);
    writeFileSync(file.path, '{}');
    chmodSync(file.path, mode);
    await file.replace('{ "a": 1 }');
    expect(statSync(file.path).mode & 0o777).toBe(mode);
    expect(readFileSync(file.path, 'utf8')).toBe('{ "a": 1 }');
  });

  it.runIf(isRoot)('stays its owner’s', async () => {
    using directory = temporaryDirectory();
    const file = new SettingsFile(`${directory.path}/settings.json`);
    writeFileSync(file.path, '{}');
    chownSync(file.path, 1234, 4321);
    await file.replace('{ "a": 1 }');
    expect(statSync(file.path)).toMatchObject({ uid: 1234, gid: 4321 });
  });

  it('is as it was, with nothing beside it, when what was staged is discarded', async () => {
    using directory = temporaryDirectory();
    const file = new SettingsFile(`${directory.path}/settings.json`);
    writeFileSync(file.path, '{}');
    const staged = await file.stage('{ "a": 1 }');
    await staged.discard();
    expect(readFileSync(file.path, 'utf8')).toBe('{}');
    expect(readdirSync(directory.path)).toEqual(['settings.json']);
  });
});
