import { backupFacts } from '@steward/shared/api/answers/backups';
import { z } from 'zod';
import { archiveLimits } from './archive-format.ts';

const common = {
  /** Below one of the top folders of an archive, with `/` between: never absolute, without `.`, `..` and control characters. */
  path: z.string().min(1).max(archiveLimits.pathLength),
  mode: z.int().min(0).max(0o7777),
  /** Microseconds since 1970, as digits. */
  modifiedAt: z.string().regex(/^[0-9]{1,16}$/),
};

const archiveEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), ...common }),
  z.object({ kind: z.literal('file'), ...common, bytes: z.int().min(0), sha256: z.string().length(64) }),
]);

export type ArchiveEntry = z.infer<typeof archiveEntry>;

/** All that is known of a backup; no other record of it exists. */
export const manifest = backupFacts.omit({ bytes: true }).extend({
  steward: z.literal('backup'),
  format: z.int().min(1),
  /** The operation that made it, by which a process that follows a killed one knows that it was made. */
  operationId: z.string().optional(),
  /** What is neither a file nor a folder, and was left out. */
  leftOut: z.array(z.string()),
  entries: z.array(archiveEntry),
});

export type Manifest = z.infer<typeof manifest>;
