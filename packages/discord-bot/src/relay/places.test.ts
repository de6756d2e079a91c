import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { PlacesFile } from './places.ts';

const posting = { content: 'hi', nonce: 'n', upTo: 'k-2', since: '1' };

it('is read back as it was saved', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'places.json');
  const file = await PlacesFile.read(path, '1');
  expect(file.places).toEqual({ channel: '1' });
  Object.assign(file.places, { farm: 'k-1', discord: '7', posting });
  await file.save();
  expect((await PlacesFile.read(path, '1')).places).toEqual({
    channel: '1',
    farm: 'k-1',
    discord: '7',
    posting,
  });
});

it('of another channel, only the place on the farm stays: what was being posted is posted there', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'places.json');
  const file = await PlacesFile.read(path, '1');
  Object.assign(file.places, { farm: 'k-1', discord: '7', posting });
  await file.save();
  expect((await PlacesFile.read(path, '2')).places).toEqual({ channel: '2', farm: 'k-1' });
});

it('that is broken, or newer, is left as it is', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'places.json');
  for (const text of [
    '{"version":1',
    '{"version":2,"channel":"1"}',
    '',
    '{"version":1,"channel":"1","discord":"x"}',
  ]) {
    writeFileSync(path, text);
    await expect(PlacesFile.read(path, '1')).rejects.toThrow(/move it away/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});

it('of a newer version is not called broken, so that its bot can be used again', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'places.json');
  writeFileSync(path, '{"version":2,"channels":["1"]}');
  await expect(PlacesFile.read(path, '1')).rejects.toThrow(
    `${path} was written by a newer version of this program (format 2; this one reads up to 1): update the bot`,
  );
});

it('is not waited for, and not read without end, where something else is in its place', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'places.json');
  execFileSync('mkfifo', [path]);
  await expect(PlacesFile.read(path, '1')).rejects.toThrow(/it is not a file\): move it away/);
  rmSync(path);
  const long = { ...posting, content: 'x'.repeat(100_000) };
  writeFileSync(path, JSON.stringify({ version: 1, channel: '1', posting: long }));
  await expect(PlacesFile.read(path, '1')).rejects.toThrow(/it has more than 65536 bytes\): move it away/);
});

it('is saved with what has changed before, however many ask at once', async () => {
  const written: string[] = [];
  let go = () => {};
  const replace = async (_path: string, content: string) => {
    written.push(content);
    await new Promise<void>((resolve) => {
      go = resolve;
    });
  };
  const file = new PlacesFile('places.json', { channel: '1' }, replace);
  const first = file.save();
  file.places.farm = 'k-1';
  const others = [file.save(), file.save()];
  file.places.farm = 'k-2';
  go();
  await first;
  await Promise.resolve();
  go();
  await Promise.all(others);
  expect(written.map((text) => JSON.parse(text).farm)).toEqual([undefined, 'k-2']);
});
