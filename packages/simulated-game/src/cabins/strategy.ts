import type { cabinStrategy } from '@steward/shared/bridge/settings';
import type { z } from 'zod';

/**
 * CabinStack and FarmhouseStack keep every cabin out of sight and show each owner their own; None puts cabins on the
 * map, and there are only so many spots.
 */
export type CabinStrategy = z.infer<typeof cabinStrategy>;
