import type { Event } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import type { Shown } from '../../farm/reads.ts';
import { CopyButton } from '../../parts/button.tsx';
import { Card, Pill } from '../../parts/card.tsx';
import { Face } from '../../parts/face.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { homeWords, playerWords as says, words } from '../../words.ts';
import { Deeds } from './deeds.tsx';
import { identitiesSeen, isFree, ownerOf, type Person } from './people.ts';

interface OnePlayerProps {
  readonly id: string;
  readonly person: Person | undefined;
  /** What says whether there is such a player. */
  readonly shown: Shown<unknown>;
  readonly events: readonly Event[];
}

/** Who somebody is, and what can be done. */
export function OnePlayer({ id, person, shown, events }: OnePlayerProps) {
  const store = farm.value;
  return (
    <>
      <p class="back">
        <a href="/players">{says.all}</a>
      </p>
      <header class="view-head one-player">
        {person !== undefined && <Face id={id} name={person.name} />}
        <h1 tabIndex={-1}>
          <bdi>{person === undefined ? words.views.players : nameOf(person)}</bdi>
        </h1>
        {person?.isOnline && <Pill kind="good">{says.isHere}</Pill>}
        {person?.isAdmin && <Pill kind="good">{homeWords.host}</Pill>}
      </header>
      <Loaded shown={shown} lines={6} onRetry={() => store.makeOld('listPlayers', 'listFarmhands')}>
        {() =>
          person === undefined ? (
            <Empty icon="players" title={says.gone}>
              {says.goneText}
            </Empty>
          ) : (
            <div class="columns">
              <Card title={says.facts} icon="players">
                <Facts rows={factsOf(person)} />
              </Card>
              <Deeds key={id} person={person} name={nameOf(person)} seen={identitiesSeen(events)} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function nameOf(person: Person): string {
  return person.name || (isFree(person) ? says.slot : homeWords.unnamed);
}

function factsOf(person: Person) {
  const { id, isAdmin, isOnline, owned, released, door, since, left } = person;
  const rows: [string, preact.ComponentChildren][] = [
    [
      says.id,
      <span key="id" class="player-id">
        <code>{id}</code>
        <CopyButton text={id} of={says.id} />
      </span>,
    ],
  ];
  if (isAdmin !== undefined) rows.push([says.role, isAdmin ? homeWords.host : says.player]);
  if (owned !== undefined || released !== undefined) rows.push([says.owner, says.owners[ownerOf(person)]]);
  if (isOnline && since !== undefined)
    rows.push([
      says.came,
      <span key="came">
        <When at={since} />
        {door !== undefined && `, ${words.doors[door] ?? door}`}
      </span>,
    ]);
  if (!isOnline && left !== undefined) rows.push([says.lastSeen, <When key="left" at={left} as="date" />]);
  return rows;
}
