import { createDecipheriv } from 'node:crypto';
import { open } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { chooseLzma } from '@steward/platform-auth/download/decode/lzma';
import { depotId } from './depots.ts';

export interface LimitWork {
  readonly key: string;
  readonly hosts: readonly string[];
  readonly chunks: readonly string[];
  readonly file: string;
}

/** So many at a time that the core never waits for the network. */
const loops = 3;
const zipHeaderBytes = 31;

const { key, hosts, chunks, file }: LimitWork = workerData;
const cipherKey = Buffer.from(key, 'hex');
const decodeLzma = chooseLzma((warning) => console.error(warning));
await using handle = await open(file, 'w');
const queue = chunks.values();
await Promise.all(
  Array.from({ length: loops }, async () => {
    for (const chunk of queue) {
      const host = hosts[Number.parseInt(chunk.slice(0, 4), 16) % hosts.length];
      const url = `http://${host}/depot/${depotId}/chunk/${chunk}`;
      // Decoding keeps the loop from noticing that a server closed an idle connection; then once more.
      const stored = await bytesOf(url).catch(() => bytesOf(url));
      await handle.write(unpack(decrypt(Buffer.from(stored))));
    }
  }),
);

async function bytesOf(url: string): Promise<ArrayBuffer> {
  return (await fetch(url)).arrayBuffer();
}

function decrypt(stored: Buffer): Buffer {
  const iv = createDecipheriv('aes-256-ecb', cipherKey, null)
    .setAutoPadding(false)
    .update(stored.subarray(0, 16));
  const cbc = createDecipheriv('aes-256-cbc', cipherKey, iv);
  return Buffer.concat([cbc.update(stored.subarray(16)), cbc.final()]);
}

function unpack(packed: Buffer): Uint8Array {
  if (packed[0] === 0x50) return inflateRawSync(packed.subarray(zipHeaderBytes));
  if (packed[1] === 0x53) return zstdDecompressSync(packed.subarray(8, -15));
  return decodeLzma(packed.subarray(7, 12), packed.subarray(12, -10), packed.readUInt32LE(packed.length - 6));
}
