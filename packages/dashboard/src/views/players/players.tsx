import type { Event } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { useEvents } from '../../parts/events.ts';
import { path } from '../../router.ts';
import { Everybody } from './everybody.tsx';
import { OnePlayer } from './one-player.tsx';
import { keptOut, peopleOf } from './people.ts';
import './players.css';

/** Enough to know of most when they came and went. */
const askedEvents = { limit: 500, topics: 'players' } as const;

const isOfPlayers = ({ type }: Event) => type.startsWith('players.');

/** Everybody on the farm and every farmhand; below, each with what can be done. */
export function PlayersView() {
  const store = farm.value;
  const players = store.allows('read') ? store.read('listPlayers').value : undefined;
  const farmhands = store.allows('moderate') ? store.read('listFarmhands').value : undefined;
  const { value: events = [] } = useEvents(store, askedEvents, isOfPlayers);
  const isKnown = players?.value !== undefined || farmhands?.value !== undefined;
  const known = {
    value: isKnown ? peopleOf(players?.value, farmhands?.value, events) : undefined,
    error: farmhands?.error ?? players?.error,
  };
  const [, , id] = path.value.split('/');
  return id ? (
    <OnePlayer id={id} shown={known} events={events} />
  ) : (
    <Everybody shown={known} keptOut={keptOut(events)} />
  );
}
