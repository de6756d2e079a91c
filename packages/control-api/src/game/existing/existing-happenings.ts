import type { GameEvent } from '@steward/shared/bridge/events';
import type { StateParams } from '@steward/shared/bridge/state/sections';

type Seen = Pick<StateParams, 'players' | 'status'>;

/** What must have happened between two looks: who came, who went, and whether a day began. */
export function happeningsBetween(before: Seen, after: Seen): GameEvent[] {
  const were = new Map((before.players ?? []).map((player) => [player.id, player]));
  const are = new Map((after.players ?? []).map((player) => [player.id, player]));
  const joined = [...are.values()].filter(({ id }) => !were.has(id));
  const left = [...were.values()].filter(({ id }) => !are.has(id));
  return [
    ...left.map((player) => ({ kind: 'playerLeft' as const, ...named(player) })),
    ...joined.map((player) => ({ kind: 'playerJoined' as const, ...named(player) })),
    ...dayBetween(before.status, after.status),
  ];
}

function named({ id, name, connectionId }: { id: string; name: string; connectionId: string }) {
  return { playerId: id, playerName: name, connectionId };
}

function dayBetween(before: Seen['status'], after: Seen['status']): GameEvent[] {
  if (before === undefined || after === undefined || after.season === '' || after.day < 1) return [];
  if (before.day === after.day && before.season === after.season && before.year === after.year) return [];
  const { day, season, year } = after;
  return [{ kind: 'dayStarted', day, season, year }];
}
