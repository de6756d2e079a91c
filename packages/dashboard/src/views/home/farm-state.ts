import type { Event, Players, Status } from '@steward/client';
import type { homeWords } from '../../words.ts';

export type FarmState = keyof (typeof homeWords)['states'];

type Told = Pick<
  Status,
  'isOnline' | 'isJoinable' | 'isPaused' | 'dayTransitionComplete' | 'obstacles' | 'draining'
>;

/** How the farm is, in one word. */
export function farmState({
  isOnline,
  isJoinable,
  isPaused,
  dayTransitionComplete,
  obstacles,
  draining,
}: Told): FarmState {
  if (draining !== undefined)
    return draining.phase === 'stopped' || draining.phase === 'starting' ? draining.phase : 'draining';
  if (obstacles.some(({ code }) => code === 'no-game')) return 'no-game';
  if (!isOnline) return 'starting';
  if (!dayTransitionComplete) return 'saving';
  if (!isJoinable) return 'closed';
  return isPaused ? 'paused' : 'open';
}

/** As the game writes it: its day goes on to two in the night, which it calls 2600. */
export function timeOfDay(time: number): string {
  const hours = Math.floor(time / 100);
  const minutes = String(time % 100).padStart(2, '0');
  return `${((hours + 11) % 12) + 1}:${minutes} ${hours % 24 < 12 ? 'am' : 'pm'}`;
}

/** How far the day has come, from six in the morning to two in the night, from 0 to 1. */
export function dayPart(time: number): number {
  const minutes = Math.floor(time / 100) * 60 + (time % 100);
  return Math.min(1, Math.max(0, (minutes - 6 * 60) / (20 * 60)));
}

export type Light = 'dawn' | 'day' | 'dusk' | 'night';

/** What the sky looks like. */
export function lightOf(time: number): Light {
  if (time >= 2000) return 'night';
  if (time >= 1740) return 'dusk';
  return time < 730 ? 'dawn' : 'day';
}

export interface Here {
  readonly id: string;
  readonly name: string;
  readonly isAdmin: boolean;
  /** By which way, and since when, where that is still known. */
  readonly door?: string | undefined;
  readonly since?: string | undefined;
}

/** Who is on the farm, with how and when each came, as the last events tell. */
export function whoIsHere({ players }: Players, events: readonly Event[]): readonly Here[] {
  const came = new Map<string, { readonly door: string; readonly since: string }>();
  for (const event of events) {
    if (event.type === 'players.joined')
      came.set(String(event.data.playerId), { door: event.data.door, since: event.at });
    else if (event.type === 'players.left') came.delete(String(event.data.playerId));
  }
  return players
    .filter(({ isOnline }) => isOnline)
    .map(({ idStr: id, name, isAdmin = false }) => ({ id, name, isAdmin, ...came.get(id) }));
}
