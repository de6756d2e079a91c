import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steward } from '@steward/client';
import { hashOf, newKeyId, newSecret } from '@steward/control-api/keys/key-index';
import { KeyRing } from '@steward/control-api/keys/key-ring';
import { KeptKeys } from '@steward/control-api/store/kept/keys';
import type { KeptKey } from '@steward/control-api/store/tables/keys';
import { systemClock } from '@steward/service-kit/clock';
import { shipped } from '@steward/tools/bundle/bundle';
import { type Comparison, interleave } from '../comparison.ts';
import { load } from '../http/load.ts';
import { startControlApi } from '../server-process.ts';

const manyKeys = 1_000;
const lookUps = 100_000;
/** What else the machine does falls on both, where they take turns within a millisecond. */
const turnLookUps = 1_000;
const lookUpRounds = 21;
const mostTimes = 1.1;

const requestRounds = 7;
const connections = 50;
const warmUpMs = 1_000;
const measuredMs = 3_000;
const leastShare = 0.9;
export const ownersKey = 'a key as long as those that openssl makes..';

/** What it costs to have keys: looking one up among many, and a request with one beside a request with the owner's. */
export async function keys(): Promise<readonly Comparison[]> {
  return [lookingUp(), await asking()];
}

function lookingUp(): Comparison {
  const subjects = [among(manyKeys), among(1)];
  const rounds = Array.from({ length: lookUpRounds }, () => {
    const took = subjects.map(() => 0);
    for (let done = 0; done < lookUps; done += turnLookUps)
      for (const [index, lookUp] of subjects.entries()) took[index] = (took[index] ?? 0) + lookUp();
    return took;
  });
  const of = (subject: number) => rounds.map((took) => took[subject] ?? Number.NaN);
  return {
    figure: `${lookUps.toLocaleString('en')} keys looked up among ${manyKeys.toLocaleString('en')}`,
    unit: 'ms',
    ours: of(0),
    limit: of(1),
    beside: 'of 1 key',
    atMost: mostTimes,
  };
}

/** A turn of looking up each of so many keys, over and over; returns how many ms it took. */
function among(count: number): () => number {
  const secrets = Array.from({ length: count }, newSecret);
  const ring = ringOf(secrets);
  return () => {
    const started = performance.now();
    for (let index = 0; index < turnLookUps; index += 1)
      if (ring.callerOf(secrets[index % count] ?? '') === undefined) throw new Error('a key is not known');
    return performance.now() - started;
  };
}

function ringOf(secrets: readonly string[]): KeyRing {
  const kept = keptKeysOf(secrets);
  const ring = new KeyRing({
    kept: new KeptKeys({
      kept: () => kept,
      noDatabase: () => undefined,
      writer: { write: async () => 0 },
    }),
    operations: { carryOut: () => Promise.reject(new Error('nothing is changed here')) },
    clock: systemClock,
    log: { info: () => {} },
    hasOwner: true,
  });
  ring.load();
  ring.stop();
  return ring;
}

/** Keys with these secrets, as they are kept. */
export function keptKeysOf(secrets: readonly string[]): readonly KeptKey[] {
  const createdAt = Date.now();
  const unused = { expiresAt: null, oldHash: null, oldUntil: null, endedAt: null, ended: null };
  return secrets.map((secret, index) => ({
    ...unused,
    id: newKeyId(),
    name: `key ${index}`,
    scopes: ['read'],
    hash: hashOf(secret),
    createdAt,
    // Noting a use is once a minute, and no part of what is measured.
    usedAt: createdAt,
  }));
}

async function asking(): Promise<Comparison> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-'));
  using api = await shipped('control-api');
  const server = await startControlApi(api.main, directory, { API_KEY: ownersKey });
  try {
    const farm = steward({ url: server.origin, key: ownersKey });
    const { secret = '' } = await farm.createKey({ name: 'bench', scopes: 'read' });
    const withKey = (key: string) => async () => {
      const request = { path: '/status', headers: { authorization: `Bearer ${key}` } };
      await load(server.origin, request, { connections, ms: warmUpMs });
      return (await load(server.origin, request, { connections, ms: measuredMs })).requestsPerSecond;
    };
    const measured = await interleave(requestRounds, { owner: withKey(ownersKey), other: withKey(secret) });
    return {
      figure: `GET /status with a key, ${connections} connections`,
      unit: 'req/s',
      ours: measured.other,
      limit: measured.owner,
      beside: 'with API_KEY',
      atLeast: leastShare,
    };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
