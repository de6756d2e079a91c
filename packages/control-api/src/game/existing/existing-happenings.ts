import type { GameEvent } from '@steward/shared/bridge/events';
import type { FarmhandSlot, WholeState } from '@steward/shared/bridge/state';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { eventOfGame } from '../bridge-events.ts';
import { settingsChanged } from '../differing-settings.ts';
import type { SelfHosted } from '../state/bridge-state.ts';

type Player = WholeState['players'][number];

interface Seen {
  readonly sections: Pick<WholeState, 'players' | 'farmhands' | 'status'>;
  readonly selfHosted: Pick<SelfHosted, 'settings'>;
  /** The last status that had a date; while no farm is loaded there is none, and the day goes on after that. */
  readonly dated: DatedStatus | undefined;
}

/** What must have happened between two looks at that server; docs/migrating.md lists it. Nobody sees what came and went in between. */
export function happeningsBetween(before: Seen, after: Seen): StewardEvent[] {
  const { sections: were } = before;
  const { sections: are } = after;
  const settings = settingsChanged(after.selfHosted.settings, before.selfHosted.settings);
  const happened: GameEvent[] = [
    ...playersBetween(were.players, are.players),
    ...farmhandsBetween(were.farmhands, are.farmhands),
    ...dayBetween(before.dated, are.status),
  ];
  return [...happened.map(eventOfGame), ...(settings === undefined ? [] : [settings])];
}

function playersBetween(were: readonly Player[], are: readonly Player[]): GameEvent[] {
  const named = ({ id, name, connectionId }: Player) => ({ playerId: id, playerName: name, connectionId });
  return [
    ...without(were, are).map((player) => ({ kind: 'playerLeft' as const, ...named(player) })),
    ...without(are, were).map((player) => ({ kind: 'playerJoined' as const, ...named(player) })),
  ];
}

function farmhandsBetween(were: readonly FarmhandSlot[], are: readonly FarmhandSlot[]): GameEvent[] {
  const slotsBefore = new Set(were.map(({ id }) => id));
  // Of another farm, or while none is loaded, nothing has happened to the farmhands of the one before.
  if (!are.some(({ id }) => slotsBefore.has(id))) return [];
  const made = (slots: readonly FarmhandSlot[]) => slots.filter(({ isCustomized }) => isCustomized);
  const gone = without(made(were), are);
  const come = without(made(are), made(were));
  return [
    ...gone.map(({ id, name }) => ({ kind: 'slotDeleted' as const, farmhandId: id, name })),
    ...come.map(({ id, name }) => ({ kind: 'slotCustomized' as const, farmhandId: id, name })),
  ];
}

type Status = WholeState['status'];

export type DatedStatus = Status & { readonly season: Exclude<Status['season'], ''> };

export function hasDate(status: Status): status is DatedStatus {
  return status.season !== '' && status.day >= 1;
}

function dayBetween(before: DatedStatus | undefined, after: Status): GameEvent[] {
  if (before === undefined || !hasDate(after)) return [];
  const { day, season, year } = after;
  if (before.day === day && before.season === season && before.year === year) return [];
  return [{ kind: 'dayStarted', day, season, year }];
}

/** Those of the first whose id is not among the others. */
function without<Item extends { readonly id: string }>(
  items: readonly Item[],
  others: readonly Item[],
): Item[] {
  const known = new Set(others.map(({ id }) => id));
  return items.filter(({ id }) => !known.has(id));
}
