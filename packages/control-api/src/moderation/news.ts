import { isDeepStrictEqual } from 'node:util';
import type { ListRow } from '@steward/shared/api/answers/moderation';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { isOver, type Lists } from './lists.ts';

type ListNews = {
  readonly [List in 'bans' | 'allowlist']: {
    readonly on: (row: Listed) => StewardEvent;
    readonly off: (row: Listed, why: 'lifted' | 'over') => StewardEvent;
  };
};

const news: ListNews = {
  bans: {
    on: (data) => ({ type: 'players.banned', data }),
    off: (data, why) => ({ type: 'players.unbanned', data: { ...data, why } }),
  },
  allowlist: {
    on: (data) => ({ type: 'players.allowed', data }),
    off: (data, why) => ({ type: 'players.disallowed', data: { ...data, why } }),
  },
};

/** More at once are an import, or another file: whoever follows reads the list. */
const mostTold = 100;

/** What is told of a change of the lists, by whomever it was made. */
export function changesBetween(before: Lists, after: Lists, now: number): readonly StewardEvent[] {
  return (['bans', 'allowlist'] as const)
    .flatMap((list) => {
      const past = new Map(before[list].map((row) => [row.id, row]));
      const present = new Set(after[list].map(({ id }) => id));
      const on = after[list].filter((row) => !isDeepStrictEqual(past.get(row.id), row));
      const off = before[list].filter(({ id }) => !present.has(id));
      return [
        ...on.map((row) => news[list].on(listed(row))),
        ...off.map((row) => news[list].off(listed(row), isOver(row, now) ? 'over' : 'lifted')),
      ];
    })
    .slice(0, mostTold);
}

/** What is told of a row that was added or removed. */
export function appliedTo(row: ListRow): AppliedOutcome {
  const { playerId, playerName = '' } = row;
  const subject = playerId === undefined ? {} : { subject: { id: playerId, name: playerName } };
  return { outcome: 'applied', ...subject, before: {}, after: { ...row } };
}

type Listed = ReturnType<typeof listed>;

function listed({ id, playerId, playerName, reason, until, identities, identity, address }: ListRow) {
  const whose = identity === undefined ? identities : [identity];
  return {
    rowId: id,
    ...(playerId === undefined ? {} : { playerId }),
    ...(playerName === undefined ? {} : { playerName }),
    ...(reason === undefined ? {} : { reason }),
    ...(until === undefined ? {} : { until }),
    ...(whose === undefined ? {} : { identities: [...whose] }),
    ...(address === undefined ? {} : { address }),
  };
}
