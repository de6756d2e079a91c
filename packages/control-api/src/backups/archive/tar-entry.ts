import { type ArchiveEntry, manifestName } from './manifest.ts';

// One way alone to write each entry (POSIX pax), so that who knows the manifest knows every byte between the files' own: reading is
// comparing, and nothing that an archive says of itself elsewhere is ever believed.

export const blockBytes = 512;

/** Readers take two empty blocks for the end. */
export const endOfTar = Buffer.alloc(2 * blockBytes);

const microsPerSecond = 1_000_000n;
/** What the old field for a size can say; pax says the rest. */
const mostOctal = 0o77777777777;

/** What stands before the content of a file, and all there is of a folder. */
export function headOf(entry: ArchiveEntry): Buffer {
  const path = entry.kind === 'folder' ? `${entry.path}/` : entry.path;
  const bytes = entry.kind === 'file' ? entry.bytes : 0;
  const micros = BigInt(entry.modifiedAt);
  const records = Buffer.concat([
    record('path', path),
    record('mtime', secondsOf(micros)),
    record('size', String(bytes)),
  ]);
  const seconds = Number(micros / microsPerSecond);
  return Buffer.concat([
    block({ name: 'pax', type: 'x', mode: 0o600, bytes: records.length, seconds }),
    records,
    paddingOf(records.length),
    block({
      // For who knows no pax.
      name: path.replace(/[^ -~]/g, '_').slice(0, 100),
      type: entry.kind === 'folder' ? '5' : '0',
      mode: entry.mode,
      bytes,
      seconds,
    }),
  ]);
}

/** What fills the last block of a content. */
export function paddingOf(bytes: number): Buffer {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);
}

interface Block {
  readonly name: string;
  readonly type: 'x' | '0' | '5';
  readonly mode: number;
  readonly bytes: number;
  readonly seconds: number;
}

function block({ name, type, mode, bytes, seconds }: Block): Buffer {
  const head = Buffer.alloc(blockBytes);
  head.write(name, 0, 'latin1');
  octal(head, mode, 100, 8);
  octal(head, 0, 108, 8);
  octal(head, 0, 116, 8);
  octal(head, Math.min(bytes, mostOctal), 124, 12);
  octal(head, Math.min(seconds, mostOctal), 136, 12);
  // The sum is that with blanks in its own place.
  head.fill(' ', 148, 156);
  head.write(type, 156, 'latin1');
  head.write('ustar\x0000', 257, 'latin1');
  octal(head, 0, 329, 8);
  octal(head, 0, 337, 8);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}

function octal(head: Buffer, value: number, at: number, width: number): void {
  head.write(value.toString(8).padStart(width - 1, '0'), at, 'latin1');
}

/** `<length of all of it> key=value`, and the length counts its own digits. */
function record(key: string, value: string): Buffer {
  const text = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(text);
  const digits = String(bytes + String(bytes).length).length;
  return Buffer.from(`${bytes + digits}${text}`);
}

function secondsOf(micros: bigint): string {
  return `${micros / microsPerSecond}.${String(micros % microsPerSecond).padStart(6, '0')}`;
}

const manifestBlocks = 3;
const sizeField = { at: 2 * blockBytes + 124, digits: 11 } as const;

/** What stands before manifest.json, which is as old as the backup. */
export function manifestHead(madeAt: string, bytes: number): Buffer {
  const modifiedAt = String(BigInt(Date.parse(madeAt)) * 1_000n);
  return headOf({ kind: 'file', path: manifestName, mode: 0o600, modifiedAt, bytes, sha256: '' });
}

/** What of the beginning of an archive is manifest.json, as that beginning has it; what it says is to be held against `manifestHead`. */
export function manifestWithin(start: Buffer): Buffer {
  const bytes = Number.parseInt(start.toString('latin1', sizeField.at, sizeField.at + sizeField.digits), 8);
  return start.subarray(manifestBlocks * blockBytes, manifestBlocks * blockBytes + (bytes || 0));
}
