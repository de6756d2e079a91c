import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Those that take longest: one of them begun last would leave the other workers with nothing to do. */
export const longFiles: readonly string[] = [
  'packages/control-api/test/api/clients.test.ts',
  'packages/control-api/test/client/every-operation.test.ts',
  'packages/control-api/test/client/following.test.ts',
  'packages/local-stack/test/chaos.test.ts',
  'packages/local-stack/test/chaos-notices.test.ts',
  'packages/local-stack/test/soak.test.ts',
  'packages/local-stack/test/start.test.ts',
  'packages/control-api/test/api/audit.test.ts',
  'packages/control-api/test/api/fuzz.test.ts',
  'packages/control-api/test/backups/restore-commands.test.ts',
  'packages/control-api/test/backups/restore-killed.test.ts',
  'packages/control-api/test/backups/restoring.test.ts',
  'packages/control-api/test/process.test.ts',
  'packages/dashboard/test/access.test.ts',
  'packages/dashboard/test/adverse.test.ts',
  'packages/dashboard/test/deeds.test.ts',
  'packages/dashboard/test/long-tasks.test.ts',
  'packages/platform-auth/test/content-faults.test.ts',
  'packages/platform-auth/test/login-by-password.test.ts',
  'packages/platform-auth/test/ticket-and-export-token.test.ts',
  'packages/platform-auth/test/without-a-terminal.test.ts',
  'test/npm-endings.test.ts',
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longFirst(files, this.ctx.config.sequence.seed);
  }
}

/** Begins with the long files; the others follow in an order that the seed of the run decides. */
export function longFirst<File extends { readonly moduleId: string }>(
  files: readonly File[],
  seed: number,
): File[] {
  const placed = files.map((file) => ({ file, place: placeOf(file.moduleId, seed) }));
  return placed.toSorted((one, other) => (one.place < other.place ? -1 : 1)).map(({ file }) => file);
}

function placeOf(path: string, seed: number): string {
  const hash = createHash('sha256').update(`${seed} ${path}`).digest('hex');
  return `${longFiles.includes(relative(root, path)) ? 0 : 1} ${hash}`;
}
