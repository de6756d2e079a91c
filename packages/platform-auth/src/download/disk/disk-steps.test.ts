import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { diskSteps } from './disk-steps.ts';

it.each<[string, (link: string, place: (name: string) => string) => Promise<void>]>([
  ['cutting', (link) => diskSteps.resize(link, 1)],
  ['writing at a place', (link) => diskSteps.writeAt(link, Buffer.from('x'), 0)],
  ['writing whole', (link) => diskSteps.writeWhole(link, 'x')],
  ['copying from it', (link, place) => diskSteps.copy(link, place('copy'))],
  ['setting the mode', (link) => diskSteps.setMode(link, 0o644)],
  ['flushing', (link) => diskSteps.flush(link)],
])('a link in place of a file is refused: %s', async (_, act) => {
  using directory = temporaryDirectory();
  const place = (name: string) => join(directory.path, name);
  writeFileSync(place('target'), 'secret', { mode: 0o600 });
  symlinkSync(place('target'), place('link'));
  await expect(act(place('link'), place)).rejects.toMatchObject({ code: 'ELOOP' });
  expect(readFileSync(place('target'), 'utf8')).toBe('secret');
  expect(statSync(place('target')).mode & 0o777).toBe(0o600);
  expect(existsSync(place('copy'))).toBe(false);
});

it.each<[string, (path: string) => Promise<void>]>([
  ['cutting', (path) => diskSteps.resize(path, 1)],
  ['writing whole', (path) => diskSteps.writeWhole(path, 'x')],
])(
  'a pipe in place of a file is refused at once, whether or not somebody reads from it: %s',
  async (_, act) => {
    using directory = temporaryDirectory();
    const pipe = join(directory.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(act(pipe)).rejects.toMatchObject({ code: 'ENXIO', path: pipe });
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    await expect(act(pipe)).rejects.toMatchObject({ code: 'ENXIO', path: pipe });
    closeSync(reader);
  },
);

it('a copy takes the place of a link, and not of what that leads to', async () => {
  using directory = temporaryDirectory();
  const place = (name: string) => join(directory.path, name);
  const content = 'many words '.repeat(20_000);
  writeFileSync(place('file'), content);
  writeFileSync(place('target'), 'secret');
  symlinkSync(place('target'), place('copy'));
  await diskSteps.copy(place('file'), place('copy'));
  expect(lstatSync(place('copy')).isFile()).toBe(true);
  expect(readFileSync(place('copy'), 'utf8')).toBe(content);
  expect(readFileSync(place('target'), 'utf8')).toBe('secret');
});

it('the names in a folder are flushed through a link as well', async () => {
  using directory = temporaryDirectory();
  using links = temporaryDirectory();
  const link = join(links.path, 'link');
  symlinkSync(directory.path, link);
  await expect(diskSteps.flushNames(link)).resolves.toBeUndefined();
});
