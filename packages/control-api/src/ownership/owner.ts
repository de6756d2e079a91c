import type { OwnershipFacts } from '@steward/shared/api/answers/farmhands';
import type { Identity } from '@steward/shared/connections/connection-id';
import { uint64Text } from '@steward/shared/ids/id-text';
import { identitySpace } from '@steward/shared/ids/platform-account';
import { z } from 'zod';

/** What is written down of one farmhand: who owns it and who said so, or that an operator has released it. */
export const ownerRecord = z.discriminatedUnion('owner', [
  z.object({
    owner: z.enum(['platform', 'network']),
    id: uint64Text,
    origin: z.enum(['claim', 'operator']),
  }),
  z.object({ owner: z.literal('released'), origin: z.literal('operator') }),
]);

export type OwnerRecord = Readonly<z.infer<typeof ownerRecord>>;

export const releasedRecord: OwnerRecord = { owner: 'released', origin: 'operator' };

export function claimOf({ space, id }: Identity): OwnerRecord {
  return { owner: space, id: id.toString(), origin: 'claim' };
}

/** The operator gives digits alone; which id space they are of, their range tells. */
export function operatorRecordOf(digits: string): OwnerRecord {
  return { owner: identitySpace(BigInt(digits)), id: digits, origin: 'operator' };
}

export function isOwner(record: OwnerRecord | undefined, { space, id }: Identity): boolean {
  return record?.owner === space && record.id === id.toString();
}

export function factsOf(record: OwnerRecord | undefined): OwnershipFacts {
  if (record === undefined) return { owned: false, released: false };
  if (record.owner === 'released') return { owned: false, released: true };
  return { owned: true, released: false, door: record.owner, origin: record.origin };
}
