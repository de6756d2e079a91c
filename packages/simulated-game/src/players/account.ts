import { createHash } from 'node:crypto';
import { platformAccountRange } from '@steward/shared/ids';

/** A person at the platform. The same name is the same account on every run. */
export interface Account {
  readonly name: string;
  readonly platformId: bigint;
}

export function accountOf(name: string): Account {
  const digest = createHash('sha256').update(`platform account of ${name}`).digest();
  return { name, platformId: platformAccountRange.min + BigInt(digest.readUInt32BE()) };
}
