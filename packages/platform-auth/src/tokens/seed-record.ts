import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { JsonFormat, newerRemedy } from '@steward/service-kit/files/json-format';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import { timestamp } from '@steward/shared/wire-values';
import { z } from 'zod';

const currentVersion = 1;
/** Whoever gives a new token every day, for a month. Older ones have long ended by themselves. */
const mostSeeds = 32;

export const seedRecordName = 'seeds.json';

/** What became of a token that was given in PLATFORM_REFRESH_TOKEN. */
const seedFate = z.enum(['taken-up', 'refused']);

export type SeedFate = z.infer<typeof seedFate>;

const content = z.object({
  version: z.literal(currentVersion),
  /** By a hash: with the record alone nobody can log in. */
  seeds: z.array(z.object({ hash: z.string(), fate: seedFate, at: timestamp })),
});

type Seeds = z.infer<typeof content>['seeds'];

export const seedRecordFormat = new JsonFormat<Seeds>(
  currentVersion,
  content.transform(({ seeds }) => seeds),
);

export function seedFateIn(seeds: Seeds, token: Secret): SeedFate | undefined {
  const hash = hashOf(token);
  return seeds.find((seed) => seed.hash === hash)?.fate;
}

/** The record's text with one more fate in it. */
export function printSeeds(seeds: Seeds, token: Secret, fate: SeedFate, at: string): string {
  const hash = hashOf(token);
  const others = seeds.filter((seed) => seed.hash !== hash);
  const kept = [...others, { hash, fate, at }].slice(-mostSeeds);
  return `${JSON.stringify({ version: currentVersion, seeds: kept }, null, 2)}\n`;
}

/** One that is not there, or cannot be made out, remembers nothing: at worst a token is tried once more. */
export async function readSeeds(path: string): Promise<Seeds> {
  try {
    const read = seedRecordFormat.read(await readFile(path, 'utf8'));
    return read.kind === 'content' ? read.content : [];
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** What a newer version has written is not for this one to replace. */
export async function refuseNewerSeeds(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const read = seedRecordFormat.read(text);
  if (read.kind === 'newer')
    throw new OperatorError(
      `${seedRecordName} in SESSION_DIR ${read.reason}, and is not replaced. ${newerRemedy}`,
    );
}

function hashOf(token: Secret): string {
  return createHash('sha256').update(`seed\0${token.reveal()}`).digest('base64url');
}
