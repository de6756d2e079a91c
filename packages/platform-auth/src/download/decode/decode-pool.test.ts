import { createHash, hash } from 'node:crypto';
import { chunkFormats, compressChunk } from '@steward/platform-emulator/depot/chunk/chunk-format';
import { encryptSymmetric } from '@steward/platform-emulator/depot/chunk/symmetric-cipher';
import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { systemClock } from '@steward/service-kit/clock';
import { ManualClock } from '@steward/testing/manual-clock';
import { afterEach, expect, it } from 'vitest';
import { mostChunkBytes } from '../manifest/manifest.ts';
import { DecodeError } from './decode-error.ts';
import { DecodePool } from './decode-pool.ts';
import { mostPortableBytes } from './lzma.ts';

const key = createHash('sha256').update('a depot').digest();
const withoutNative = new URL('../../../test/world/decode-worker-without-native.ts', import.meta.url);
const pools: DecodePool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function pool(parts: Partial<ConstructorParameters<typeof DecodePool>[0]> = {}): DecodePool {
  const made = new DecodePool({ clock: systemClock, workers: 2, ...parts });
  pools.push(made);
  return made;
}

function chunk(label: string, format: (typeof chunkFormats)[number] = 'zstd', bytes = 50_000) {
  const content = programLike(label, bytes).read(0, bytes);
  const stored = new Uint8Array(encryptSymmetric(compressChunk(content, format), key));
  return { content, chunk: { stored, key, id: hash('sha1', content, 'hex'), bytes: content.length } };
}

it('decodes more than it has threads, each chunk for the one who asked', async () => {
  const decoding = pool();
  const chunks = Array.from({ length: 12 }, (_, index) => chunk(`${index}`, chunkFormats[index % 3]));
  const plain = await Promise.all(chunks.map((each) => decoding.decode(each.chunk)));
  for (const [index, bytes] of plain.entries()) expect(chunks[index]?.content.equals(bytes)).toBe(true);
  expect(decoding.workers).toBe(2);
});

it('decodes without the native LZMA decoder, and says so once, however many threads find out', async () => {
  const warnings: string[] = [];
  const decoding = pool({ entry: withoutNative, warn: (text) => warnings.push(text) });
  const chunks = Array.from({ length: 6 }, (_, index) => chunk(`portable ${index}`, 'vz'));
  const plain = await Promise.all(chunks.map((each) => decoding.decode(each.chunk)));
  for (const [index, bytes] of plain.entries()) expect(chunks[index]?.content.equals(bytes)).toBe(true);
  expect(decoding.workers).toBe(2);
  expect(warnings).toEqual([expect.stringContaining('decoded in JavaScript')]);
});

it('has room for the largest chunk that the portable decoder takes, in the thread that decodes', async () => {
  const decoding = pool({ workers: 1, entry: withoutNative });
  const largest = chunk('largest', 'vz', mostPortableBytes);
  expect(largest.content.equals(await decoding.decode(largest.chunk))).toBe(true);
});

it('takes the memory of a chunk along instead of copying it', async () => {
  const { chunk: given } = chunk('moved');
  await pool().decode(given);
  expect(given.stored.length).toBe(0);
});

it('says what is wrong with a broken chunk, and goes on', async () => {
  const decoding = pool({ workers: 1 });
  const good = chunk('good');
  const broken = { ...chunk('broken').chunk, id: '0'.repeat(40) };
  const [refused, plain] = await Promise.allSettled([decoding.decode(broken), decoding.decode(good.chunk)]);
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(DecodeError) });
  expect(plain).toMatchObject({ status: 'fulfilled' });
});

it('lives on when a thread dies of a chunk: its jobs fail, the next ones get a new thread', async () => {
  const decoding = pool({ workers: 1 });
  // What breaks the protocol breaks the thread.
  const poison = { ...chunk('poison').chunk, bytes: -1 };
  await expect(decoding.decode(poison)).rejects.toThrow(DecodeError);
  const deadly = { ...chunk('deadly').chunk, stored: 7 as unknown as Uint8Array };
  await expect(decoding.decode(deadly)).rejects.toThrow(DecodeError);
  const good = chunk('good');
  expect(good.content.equals(await decoding.decode(good.chunk))).toBe(true);
});

it.each([
  ['native', undefined, /cannot be decompressed/],
  ['portable', withoutNative, /is larger than 2 MiB/],
])(
  'refuses a small chunk that is said to swell to the largest size, by the %s decoder',
  async (_name, entry, why) => {
    const decoding = pool({ workers: 1, ...(entry && { entry }) });
    const swelling = { ...chunk('swelling', 'vz').chunk, bytes: mostChunkBytes };
    await expect(decoding.decode(swelling)).rejects.toThrow(why);
    const good = chunk('good', 'vz');
    expect(good.content.equals(await decoding.decode(good.chunk))).toBe(true);
  },
);

it('opens no thread for what still waits when it is closed', async () => {
  const decoding = pool({ workers: 1 });
  const asked = Array.from({ length: 5 }, (_, index) => decoding.decode(chunk(`late ${index}`).chunk));
  const [answers] = await Promise.all([Promise.allSettled(asked), decoding.close()]);
  for (const { status } of answers.slice(2)) expect(status).toBe('rejected');
  expect(decoding.workers).toBe(0);
});

it('ends a thread that has had nothing to do for a while', async () => {
  const clock = new ManualClock(new Date());
  const decoding = pool({ clock });
  const { chunk: first } = chunk('first');
  await decoding.decode(first);
  expect(decoding.workers).toBe(1);
  clock.advance(10_000);
  expect(decoding.workers).toBe(0);
  // The thread takes a moment to end, in which it must be given nothing any more.
  const again = chunk('again');
  expect(again.content.equals(await decoding.decode(again.chunk))).toBe(true);
});
