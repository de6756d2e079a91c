import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, Farm } from '@steward/client';
import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Load } from '../soak/load.ts';
import type { LogWatch } from '../soak/log-watch.ts';
import type { AuditLine } from './audit-book.ts';
import type { House } from './house.ts';
import { noteRuns } from './timetable.ts';

/** So many writes of each may be under way when the service is killed: a script has one, a bot as many as it has said. */
const atOnce = { scripts: 4, owner: 2, bots: 32, 'schedule word': 1, 'schedule copies': 1 } as const;

/** What the database may take for each event and each line of the audit that it keeps, and before there are any. */
const mostOfEach = 1_500;
const mostAtFirst = 2 * 1024 * 1024;
/** What is written goes into the file itself long before it comes to this. */
const mostJournal = 32 * 1024 * 1024;

const mostInAPage = 1_000;

interface DatabaseSize {
  readonly bytes: number;
  /** What was written last, before it goes into the file itself. */
  readonly journal: number;
}

/** What the end of a soak has found. */
export interface Reckoning {
  readonly violations: readonly string[];
  readonly runs: number;
  readonly text: string;
}

/** Nobody does anything any more: what everybody was told is compared with what is kept, and that with what was done. */
export async function reckon(
  house: House,
  { world, load, logs }: { readonly world: ChaosWorld; readonly load: Load; readonly logs: LogWatch },
): Promise<Reckoning> {
  const { owner, hooks, book, talk, discord } = house;
  // Before: the farm goes on, and what happens from here on may still be under way to them.
  const events = await eventsSince(owner, house.since);
  await hooks.settle(owner, events);
  const lines = await wholeAudit(owner);
  const runs = noteRuns(events, book);
  const kills = world.api.struck.SIGKILL;
  const interruptions = Object.fromEntries(
    Object.entries(atOnce).map(([actor, each]) => [actor, each * kills]),
  );
  const size = databaseSize(world.state);
  const kept = events.length + lines.length;
  const violations = [
    ...hooks.violations(events),
    ...talk.violations(load.ledger.all),
    ...book.compare(lines, { logged: logs.onlyLogged, interruptions }),
    ...tooBig(size, kept),
  ];
  const text = [
    `house: ${events.length} events, ${hooks.requests} requests to webhooks, ${runs} runs of schedules`,
    `${book.deeds} deeds in ${lines.length} lines of the audit, ${lines.filter((line) => line.interrupted).length} interrupted, ${logs.onlyLogged.size} in the log alone`,
    `${talk.shown.length} of ${discord.said} lines from Discord shown`,
    `${house.drains} drains, ${house.neighbours.restarts} restarts of neighbours`,
    `database ${Math.round(size.bytes / 1024)} KB, its journal ${Math.round(size.journal / 1024)} KB`,
    house.page.text,
  ].join('; ');
  return { violations, runs, text };
}

function tooBig({ bytes, journal }: DatabaseSize, kept: number): readonly string[] {
  const most = mostAtFirst + kept * mostOfEach;
  return [
    ...(bytes > most ? [`the database has ${bytes} bytes, for ${kept} events and lines`] : []),
    ...(journal > mostJournal ? [`the journal of the database has ${journal} bytes`] : []),
  ];
}

/** Every event behind that place. */
async function eventsSince(owner: Farm, cursor: string): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let after = cursor; ; ) {
    const page = await owner.getEvents({ after, limit: mostInAPage });
    all.push(...page.events);
    if (page.events.length === 0) return all;
    after = page.cursor;
  }
}

/** Every line of the audit. */
async function wholeAudit(owner: Farm): Promise<readonly AuditLine[]> {
  const all: AuditLine[] = [];
  for (let after = 0; ; ) {
    const { lines } = await owner.getAudit({ after, limit: mostInAPage });
    all.push(...lines);
    const last = lines.at(-1);
    if (last === undefined) return all;
    after = last.number;
  }
}

function databaseSize(state: string): DatabaseSize {
  const size = (name: string) => statSync(join(state, name), { throwIfNoEntry: false })?.size ?? 0;
  return { bytes: size('steward.db'), journal: size('steward.db-wal') };
}
