import type { Event } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Card } from '../../parts/card.tsx';
import { useEvents } from '../../parts/events.ts';
import { Face } from '../../parts/face.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { homeWords as says, words } from '../../words.ts';
import { whoIsHere } from './farm-state.ts';

/** Enough to know of most who are here when they came. */
const askedEvents = { limit: 200, topics: 'players' } as const;

const isOfPlayers = ({ type }: Event) => type.startsWith('players.');

/** The players, and how and when each came. */
export function WhoIsHere({ most }: { most: number }) {
  const store = farm.value;
  const { value: players, error } = store.read('listPlayers').value;
  const { value: joined } = useEvents(store, askedEvents, isOfPlayers);
  const here = players && whoIsHere(players, joined ?? []);
  return (
    <Card
      title={says.players}
      icon="players"
      aside={here && <span class="count">{says.playersOf(here.length, most)}</span>}
    >
      <Loaded shown={{ value: here, error }} lines={4} onRetry={() => store.makeOld('listPlayers')}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="players" title={says.nobodyHere}>
              {says.nobodyHereText}
            </Empty>
          ) : (
            <LongList
              class="people"
              items={all}
              row={({ id, name, isAdmin, door, since }) => (
                <li key={id}>
                  <Face id={id} name={name} />
                  <span class="person">
                    <span class="name">
                      <bdi>{name || says.unnamed}</bdi>
                    </span>
                    <span class="faint">
                      {[isAdmin && says.host, door && (words.doors[door] ?? door)]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <span class="faint since">{since !== undefined && <When at={since} />}</span>
                </li>
              )}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
