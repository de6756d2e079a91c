import { z } from 'zod';

/** ISO 8601, UTC, with milliseconds: the one form of a time on any wire here. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601 UTC with milliseconds', examples: ['2026-11-21T06:30:00.000Z'] });

export function timestampOf(date: Date): string {
  return date.toISOString();
}
