import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Load } from '../soak/load.ts';
import type { LogWatch } from '../soak/log-watch.ts';
import type { House } from './house.ts';
import { type DatabaseSize, databaseSize, eventsSince, wholeAudit } from './kept.ts';
import { noteRuns } from './timetable.ts';

/** So many writes of each may be under way when the service is killed: a script has one, a bot as many as it has said. */
const atOnce = { scripts: 4, owner: 2, bots: 32, 'schedule word': 1, 'schedule copies': 1 } as const;

/** What the database may take for each event and each line of the audit that it keeps, and before there are any. */
const mostOfEach = 1_500;
const mostAtFirst = 2 * 1024 * 1024;
/** What is written goes into the file itself long before it comes to this. */
const mostJournal = 32 * 1024 * 1024;

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
  await hooks.settle(owner);
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
    ...book.compare(lines, { logged: logs.audited, interruptions }),
    ...tooBig(size, kept),
  ];
  const text = [
    `house: ${events.length} events, ${hooks.requests} requests to webhooks, ${runs} runs of schedules`,
    `${book.deeds} deeds in ${lines.length} lines of the audit, ${lines.filter((line) => line.interrupted).length} interrupted, ${logs.audited.size} in the log alone`,
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
