import type { DepotFile, FileContent } from '../depot.ts';
import { programLike, withPatch } from './generated-content.ts';

/** Executables, libraries and everything odd that a downloader must get right: links, empty files and directories. */
export function linuxPrograms(seed: string, treeBytes: number): DepotFile[] {
  const body = part(seed, treeBytes);
  return [
    { kind: 'file', name: 'FarmGame', content: body('FarmGame', 20), executable: true },
    {
      kind: 'file',
      name: 'FarmGame.sh',
      content: Buffer.from('#!/bin/sh\nexec ./FarmGame "$@"\n'),
      executable: true,
    },
    { kind: 'file', name: 'FarmGame.dll', content: body('FarmGame.dll', 25) },
    { kind: 'file', name: 'libcoreclr.so', content: body('libcoreclr.so', 20) },
    { kind: 'file', name: 'libGalaxy64.so', content: libraryWithExecutableStack(body('libGalaxy64.so', 10)) },
    {
      kind: 'file',
      name: 'libGalaxyCSharpGlue.so',
      content: libraryWithExecutableStack(body('libGalaxyCSharpGlue.so', 5)),
    },
    { kind: 'symlink', name: 'libcoreclr.so.1', target: 'libcoreclr.so' },
    { kind: 'directory', name: 'Mods' },
    { kind: 'directory', name: 'runtimes\\linux-x64\\native' },
    {
      kind: 'symlink',
      name: 'runtimes\\linux-x64\\native\\libGalaxy64.so',
      target: '../../../libGalaxy64.so',
    },
    { kind: 'file', name: 'runtimes\\linux-x64\\native\\empty.marker', content: Buffer.alloc(0) },
    { kind: 'file', name: 'Content\\Effects\\Empty.xnb', content: Buffer.alloc(0) },
  ];
}

export function windowsPrograms(seed: string, treeBytes: number): DepotFile[] {
  const body = part(`${seed} windows`, treeBytes);
  return [
    { kind: 'file', name: 'FarmGame.exe', content: body('FarmGame.exe', 25) },
    { kind: 'file', name: 'FarmGame.dll', content: body('FarmGame.dll', 25) },
    { kind: 'directory', name: 'Content\\Fonts' },
    { kind: 'file', name: 'Content\\Fonts\\Windows.xnb', content: body('Windows.xnb', 1) },
  ];
}

/** A file of so many thousandths of the tree. */
function part(seed: string, treeBytes: number): (name: string, share: number) => FileContent {
  return (name, share) =>
    programLike(`${seed} ${name}`, Math.max(256, Math.round((treeBytes * share) / 1000)));
}

const headerLength = 64;
const programHeaderLength = 56;
const gnuStack = 0x6474e551;
const readWriteExecute = 7;

/**
 * A shared library whose ELF header asks for an executable stack, as two libraries of the real game do:
 * newer systems refuse to load such a library until the flag is cleared (facts A6).
 */
export function libraryWithExecutableStack(body: FileContent): FileContent {
  const header = Buffer.alloc(headerLength + programHeaderLength);
  // 64-bit, little-endian, version 1; a shared object for x86-64.
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  header.writeUInt16LE(3, 16);
  header.writeUInt16LE(62, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(headerLength), 32);
  header.writeUInt16LE(headerLength, 52);
  header.writeUInt16LE(programHeaderLength, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(gnuStack, headerLength);
  header.writeUInt32LE(readWriteExecute, headerLength + 4);
  return withPatch(body, 0, header);
}
