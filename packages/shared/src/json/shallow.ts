import { z } from 'zod';

/** What is passed on without a look at its form never has more than a few levels; writing JSON is recursive, and ends at thousands. */
const mostLevels = 32;

/** Members whose form is somebody else's to know: kept, shown and written again as they came. */
export const shallowFacts = z
  .record(z.string(), z.unknown())
  .refine(isShallow, `is nested more than ${mostLevels} levels deep`);

function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= mostLevels; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return true;
  }
  return false;
}
