/**
 * Two libraries of the game ask for an executable stack, which they do not need, and newer systems (glibc 2.41) refuse to load
 * a library that asks for one.
 */
const libraries = ['libGalaxy64.so', 'libGalaxyCSharpGlue.so'];

export function mayWantExecutableStack(name: string): boolean {
  return libraries.includes(name.slice(name.lastIndexOf('/') + 1));
}

/** All that is read of the file: the ELF header and the program headers behind it. */
export const elfHeadBytes = 4096;

const magic = Buffer.from('\x7fELF\x02\x01', 'latin1');
const headerLength = 64;
const gnuStack = 0x6474e551;
const executableFlag = 1;
const flagsOffset = 4;

/** Where the flags of the stack's program header stand, and what they should be; undefined where nothing is to be changed. */
export function clearedStackFlags(head: Buffer): { offset: number; flags: Buffer } | undefined {
  // 64-bit, little-endian; anything else is not what the server runs on.
  if (head.length < headerLength || !head.subarray(0, magic.length).equals(magic)) return undefined;
  const tableOffset = head.readBigUInt64LE(32);
  const entryLength = head.readUInt16LE(54);
  const entries = head.readUInt16LE(56);
  for (let index = 0; index < entries; index += 1) {
    const at = Number(tableOffset) + index * entryLength;
    if (at + flagsOffset + 4 > head.length) return undefined;
    if (head.readUInt32LE(at) !== gnuStack) continue;
    const flags = head.readUInt32LE(at + flagsOffset);
    if ((flags & executableFlag) === 0) return undefined;
    const cleared = Buffer.alloc(4);
    cleared.writeUInt32LE(flags & ~executableFlag);
    return { offset: at + flagsOffset, flags: cleared };
  }
  return undefined;
}
