import type { FileSteps } from '@steward/service-kit/files/replace-file';
import { withRecord } from '../../../src/ownership/map-changes.ts';
import { OwnershipFile } from '../../../src/ownership/ownership-file.ts';
import { claimOf } from '../../../src/ownership/ownership-map.ts';
import { OwnershipRegister } from '../../../src/ownership/ownership-register.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const clock = { date: () => new Date('2026-11-21T06:30:00.000Z'), now: () => 0 };
const slots = [
  { id: '1', isCustomized: true },
  { id: '2', isCustomized: false },
];

/** Opens the map of a farm, which sets it aside where it cannot be read, and writes a claim of slot 2. */
export async function oneMoreClaim(directory: string, steps?: FileSteps): Promise<void> {
  const register = new OwnershipRegister(new OwnershipFile(directory, steps), silent, clock);
  const opened = await register.open({ farmId: 'Meadow_1', saveGeneration: 3, slots, isComplete: true });
  if (!opened.ok) throw new Error(opened.reason);
  await register.commit(withRecord(opened.value, '2', claimOf({ space: 'network', id: 5n })));
}
