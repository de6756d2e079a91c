import type { FileContent } from '../depot.ts';
import { withPatch } from './changed-content.ts';

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
