import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Audit, Event, Farm } from '@steward/client';

const most = 1_000;

type AuditLine = Audit['lines'][number];

/** Every event behind that place. */
export async function eventsSince(owner: Farm, cursor: string): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let after = cursor; ; ) {
    const page = await owner.getEvents({ after, limit: most });
    all.push(...page.events);
    if (page.events.length === 0) return all;
    after = page.cursor;
  }
}

/** Every line of the audit. */
export async function wholeAudit(owner: Farm): Promise<readonly AuditLine[]> {
  const all: AuditLine[] = [];
  for (;;) {
    const { lines } = await owner.getAudit({ after: all.at(-1)?.number ?? 0, limit: most });
    all.push(...lines);
    if (lines.length === 0) return all;
  }
}

export interface DatabaseSize {
  readonly bytes: number;
  /** What was written last, before it goes into the file itself. */
  readonly journal: number;
}

export function databaseSize(state: string): DatabaseSize {
  const size = (name: string) => statSync(join(state, name), { throwIfNoEntry: false })?.size ?? 0;
  return { bytes: size('steward.db'), journal: size('steward.db-wal') };
}
