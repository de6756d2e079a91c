import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { readRegular, readRegularSync, StrangeFile } from './read-regular.ts';

const asPromised = async (path: string) => readRegularSync(path, 10);

it.each([
  ['as the rest goes on', readRegular],
  ['at once', asPromised],
])('reads files alone, and waits for nothing, %s', async (_how, read) => {
  using directory = temporaryDirectory();
  const at = (name: string) => `${directory.path}/${name}`;
  writeFileSync(at('file'), 'words');
  writeFileSync(at('empty'), '');
  expect(String(await read(at('file')))).toBe('words');
  expect(String(await read(at('empty')))).toBe('');
  await expect(read(at('none'))).rejects.toMatchObject({ code: 'ENOENT' });

  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  symlinkSync('file', at('link'));
  symlinkSync('/dev/zero', at('endless'));
  await using socket = createServer().listen(at('socket'));
  await once(socket, 'listening');
  for (const [name, code] of [
    ['pipe', 'it is not a file'],
    ['folder', 'it is not a file'],
    ['socket', 'it is not a file'],
    ['link', 'it is a link'],
    ['endless', 'it is a link'],
  ] as const) {
    const error = await read(at(name)).catch((caught: unknown) => caught);
    expect([name, error]).toEqual([name, expect.any(StrangeFile)]);
    expect(error).toMatchObject({ code, message: `${at(name)}: ${code}` });
  }
});

it('reads what people keep elsewhere through their link, and nothing but files there, either', async () => {
  using directory = temporaryDirectory();
  const at = (name: string) => `${directory.path}/${name}`;
  const followsLinks = true;
  writeFileSync(at('file'), 'words');
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('file', at('link'));
  symlinkSync('pipe', at('silent'));
  symlinkSync('/dev/zero', at('endless'));
  symlinkSync('nowhere', at('lost'));
  expect(String(await readRegular(at('link'), { followsLinks }))).toBe('words');
  for (const name of ['silent', 'endless'])
    await expect(readRegular(at(name), { followsLinks })).rejects.toThrow('it is not a file');
  await expect(readRegular(at('lost'), { followsLinks })).rejects.toMatchObject({
    code: 'the file that it links to is missing',
  });
  await expect(readRegular(at('none'), { followsLinks })).rejects.toMatchObject({ code: 'ENOENT' });
});

it('reads no further than it may', async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/file`;
  writeFileSync(path, '1234567890');
  expect(String(await readRegular(path, { mostBytes: 10 }))).toBe('1234567890');
  await expect(readRegular(path, { mostBytes: 9 })).rejects.toThrow('it has more than 9 bytes');
  expect(() => readRegularSync(path, 9)).toThrow('it has more than 9 bytes');
});
