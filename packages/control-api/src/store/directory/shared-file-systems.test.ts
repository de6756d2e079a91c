import { expect, it } from 'vitest';
import { sharedFileSystem } from './shared-file-systems.ts';

it.runIf(process.platform === 'linux').each([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  // As a machine of 32 bits says it.
  [0xff534d42 - 2 ** 32, 'SMB'],
  [0x65735546, 'FUSE'],
  [0xef53, undefined],
])('knows the file system of number %i as %s', (type, name) => {
  expect(sharedFileSystem('/anywhere', () => type)).toBe(name);
});

it('takes one of which nothing is known for this machine’s own', () => {
  expect(sharedFileSystem('/nowhere/at/all')).toBeUndefined();
  expect(sharedFileSystem('/')).toBeUndefined();
});
