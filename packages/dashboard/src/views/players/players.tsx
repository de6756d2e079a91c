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
  const people = peopleOf(players?.value, farmhands?.value, events);
  const [, , id] = path.value.split('/');
  // Who is not among them yet may be among those to come.
  const awaited = [farmhands, players].find((read) => read && !read.value);
  return id ? (
    <OnePlayer
      id={id}
      person={people.find((person) => person.id === id)}
      shown={awaited ?? { value: people }}
      events={events}
    />
  ) : (
    <Everybody people={people} here={players ?? farmhands ?? {}} away={farmhands} keptOut={keptOut(events)} />
  );
}
