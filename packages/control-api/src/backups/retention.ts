import type { BackupFacts } from '@steward/shared/api/answers/backups';
import type { BackupReason } from '@steward/shared/backups';
import type { Kind } from '@steward/shared/kinds';
import { accepted, refused } from '@steward/shared/parsed';

const units = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;

type Unit = keyof typeof units;

/** Of how many hours, days, weeks, months and years the newest backup stays; undefined where all of them do. */
export type KeepRule = Readonly<Partial<Record<Unit, number>>> | undefined;

const grammar = /^([1-9][0-9]{0,3}[hdwmy])+$/;

export const keepRule: Kind<KeepRule> = {
  allowed: `numbers with ${Object.entries(units)
    .map(([unit, name]) => `${unit} (${name})`)
    .join(', ')}, each once, such as 7d4w6m; set but empty: nothing is ever deleted`,
  json: { type: 'string' },
  parse(text) {
    if (text === '') return accepted(undefined);
    if (!grammar.test(text)) return refused('is not such a rule');
    const parts = [...text.matchAll(/([0-9]+)([hdwmy])/g)].map(([, count, unit]) => [unit, Number(count)]);
    const rule = Object.fromEntries(parts);
    return Object.keys(rule).length === parts.length ? accepted(rule) : refused('names a unit twice');
  },
};

export function textOfRule(rule: KeepRule): string {
  return Object.keys(units)
    .map((unit) => [unit, rule?.[unit as Unit]] as const)
    .filter(([, count]) => count !== undefined)
    .map(([unit, count]) => `${count}${unit}`)
    .join('');
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Made as the way back from something: the next one of the same day would else take its place. */
const waysBack: ReadonlySet<BackupReason> = new Set(['before-restore', 'before-delete', 'before-update']);

/** A way back stays so long, whatever the rule says. */
export const wayBackMs = 7 * dayMs;

/** The first day of 1970 was a Thursday; weeks begin on Mondays. */
const daysBeforeMonday = 3;

/** Which hour, day and so on something was in, in UTC as the names of backups are: later ones are greater. */
const periodOf: Readonly<Record<Unit, (at: Date) => number>> = {
  h: (at) => Math.floor(at.getTime() / hourMs),
  d: (at) => Math.floor(at.getTime() / dayMs),
  w: (at) => Math.floor((at.getTime() / dayMs + daysBeforeMonday) / 7),
  m: (at) => at.getUTCFullYear() * 12 + at.getUTCMonth(),
  y: (at) => at.getUTCFullYear(),
};

export type Thinned = Pick<BackupFacts, 'id' | 'madeAt' | 'why' | 'keep'>;

type Farm = BackupFacts['farm'];

/** A farm whose save's name is no id, in front of another server, is known by its own name alone. */
export function isSameFarm(one: Farm, other: Farm): boolean {
  return one.farmId === other.farmId && (one.farmId !== undefined || one.farmName === other.farmName);
}

/**
 * Which backups of a farm the rule takes away. Of each period the newest stays, of as many periods as the rule says; those without
 * a backup are not counted, so that a farm that rests keeps what it has. What is kept, the newest of all, and what a clock that
 * went wrong dated later than now stay in any case, and ways back until they are old by a clock that is settled. Those before a restore
 * take nobody's place.
 */
export function surplus<Backup extends Thinned>(
  backups: readonly Backup[],
  rule: KeepRule,
  now: Date,
  settledNow: number,
): readonly Backup[] {
  if (rule === undefined) return [];
  const past = backups
    .filter(({ madeAt }) => new Date(madeAt) <= now)
    .toSorted((one, other) => order(other, one));
  const stay = new Set(past.slice(0, 1));
  const counted = past.filter(({ why }) => why !== 'before-restore');
  for (const unit of Object.keys(rule) as Unit[]) {
    const newestOf = new Map<number, Backup>();
    for (const backup of counted) {
      const period = periodOf[unit](new Date(backup.madeAt));
      if (!newestOf.has(period)) newestOf.set(period, backup);
    }
    for (const backup of [...newestOf.values()].slice(0, rule[unit])) stay.add(backup);
  }
  return past.filter((backup) => {
    const age = settledNow - new Date(backup.madeAt).getTime();
    const isWayBack = waysBack.has(backup.why) && age < wayBackMs;
    return !(stay.has(backup) || backup.keep || isWayBack);
  });
}

/** The older one first. */
function order(one: Thinned, other: Thinned): number {
  return one.madeAt === other.madeAt ? (one.id < other.id ? -1 : 1) : one.madeAt < other.madeAt ? -1 : 1;
}
