import { inflateRawSync } from 'node:zlib';
import { DecodeError } from './decode-error.ts';
import { inflationOf } from './inflation.ts';

const headerBytes = 30;
const methodAt = 8;
const nameLengthAt = 26;
const extraLengthAt = 28;
const methods: Readonly<Record<number, ZipEntry['method']>> = { 0: 'stored', 8: 'deflated' };

export interface ZipEntry {
  readonly method: 'stored' | 'deflated';
  /** From its first byte to the archive's end: where it ends is for whoever reads it to know. */
  readonly content: Buffer;
}

/** The first entry of a zip archive; the platform's have no other. */
export function firstEntry(archive: Buffer): ZipEntry {
  if (archive.length < headerBytes) throw new DecodeError('is too short for a zip archive');
  const number = archive.readUInt16LE(methodAt);
  const method = methods[number];
  if (method === undefined) throw new DecodeError(`is a zip archive of method ${number}`);
  const names = archive.readUInt16LE(nameLengthAt) + archive.readUInt16LE(extraLengthAt);
  return { method, content: archive.subarray(headerBytes + names) };
}

export function unzip(archive: Buffer, bytes: number): Uint8Array {
  const { method, content } = firstEntry(archive);
  return method === 'stored' ? content.subarray(0, bytes) : inflateRawSync(content, inflationOf(bytes));
}
