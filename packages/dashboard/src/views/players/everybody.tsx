import { useSignal } from '@preact/signals';
import { farm } from '../../farm/farms.ts';
import type { Shown } from '../../farm/reads.ts';
import { CopyButton } from '../../parts/button.tsx';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { Face } from '../../parts/face.tsx';
import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { homeWords, playerDeedWords, playerWords as says, words } from '../../words.ts';
import { isFree, type KeptOut, ownerOf, type Person } from './people.ts';

/** More than one sees at a glance. */
const searchedFrom = 10;

interface EverybodyProps {
  readonly people: readonly Person[];
  /** What says who is here. */
  readonly here: Shown<unknown>;
  /** What says who else has a place; absent for who may not know. */
  readonly away: Shown<unknown> | undefined;
  readonly keptOut: readonly KeptOut[];
}

export function Everybody({ people, here, away, keptOut }: EverybodyProps) {
  const store = farm.value;
  const sought = useSignal('');
  const most = store.status.value?.maxPlayers;
  const retry = () => store.makeOld('listPlayers', 'listFarmhands');
  const online = people.filter(({ isOnline }) => isOnline);
  const farmhands = people.filter((person) => !person.isOnline && !isFree(person));
  const free = people.filter(isFree);
  const word = sought.value.trim().toLowerCase();
  const found = farmhands.filter(({ name, id }) => name.toLowerCase().includes(word) || id.includes(word));
  return (
    <>
      <ViewHead title={words.views.players} />
      <div class="columns players">
        <div class="column">
          <Card
            title={says.here}
            icon="players"
            aside={
              here.value !== undefined &&
              most !== undefined && <span class="count">{homeWords.playersOf(online.length, most)}</span>
            }
          >
            <Loaded shown={here} lines={4} onRetry={retry}>
              {() =>
                online.length === 0 ? (
                  <Empty icon="players" title={homeWords.nobodyHere}>
                    {homeWords.nobodyHereText}
                  </Empty>
                ) : (
                  <Persons all={online} />
                )
              }
            </Loaded>
          </Card>
          {keptOut.length > 0 && <KeptOutCard all={keptOut} />}
        </div>
        {away !== undefined && (
          <Card
            title={says.farmhands}
            icon="cabins"
            aside={away.value !== undefined && <span class="count">{farmhands.length}</span>}
          >
            <Loaded shown={away} lines={6} onRetry={retry}>
              {() => (
                <>
                  {(word !== '' || farmhands.length >= searchedFrom) && (
                    <Field
                      label={says.find}
                      type="search"
                      value={sought.value}
                      onValue={(value) => {
                        sought.value = value;
                      }}
                    />
                  )}
                  {found.length > 0 ? (
                    <Persons all={found} />
                  ) : (
                    <Nobody isSought={word !== ''} isAnyHere={online.length > 0} />
                  )}
                </>
              )}
            </Loaded>
            {free.length > 0 && (
              <details class="free-slots">
                <summary>{says.free(free.length)}</summary>
                <Persons all={free} />
              </details>
            )}
          </Card>
        )}
      </div>
    </>
  );
}

function Persons({ all }: { all: readonly Person[] }) {
  return (
    <LongList
      class="people persons"
      items={all}
      row={(person) => (
        <li key={person.id}>
          <a class="person-way" href={`/players/${person.id}`}>
            <Face id={person.id} name={person.name} />
            <span class="person">
              <span class="name">
                <bdi>{person.name || (isFree(person) ? says.slot : homeWords.unnamed)}</bdi>
              </span>
              <span class="faint">{lineOf(person)}</span>
            </span>
            {person.isAdmin && <Pill kind="good">{homeWords.host}</Pill>}
            <span class="faint since">
              {(person.since ?? person.left) !== undefined && (
                <When at={(person.since ?? person.left) as string} />
              )}
            </span>
            <Icon name="onward" size={18} />
          </a>
        </li>
      )}
    />
  );
}

/** Why no farmhand stands there. */
function Nobody({ isSought, isAnyHere }: { isSought: boolean; isAnyHere: boolean }) {
  if (isSought) return <Empty icon="cabins" title={says.noneFound} />;
  if (isAnyHere) return <Empty icon="cabins" title={says.noneAway} />;
  return (
    <Empty icon="cabins" title={says.none}>
      {says.noneText}
    </Empty>
  );
}

/** How one came who is here; whose it is where nobody plays it. */
function lineOf(person: Person): string {
  if (person.isOnline) return person.door === undefined ? '' : (words.doors[person.door] ?? person.door);
  return `${says.owner} ${says.owners[ownerOf(person)]}`;
}

function KeptOutCard({ all }: { all: readonly KeptOut[] }) {
  const { field } = playerDeedWords.rebindFarmhand;
  return (
    <Card title={says.keptOut} icon="gate" class="kept-out">
      <ul>
        {all.map(({ at, farmhandId, farmhandName, reason, identity, isLetInAsOwner }) => (
          <li key={`${farmhandId} ${identity ?? reason}`}>
            <p>
              <strong>
                <bdi>{says.keptOutText(farmhandName === '' ? says.slot : farmhandName)}</bdi>
              </strong>{' '}
              <span class="faint">
                <When at={at} />
              </span>
            </p>
            <p class="faint">{reason}</p>
            {identity !== undefined &&
              (isLetInAsOwner ? (
                <a href={`/players/${farmhandId}?identity=${identity}`}>{says.giveThem}</a>
              ) : (
                <p class="player-id">
                  <span>
                    {field} <code>{identity}</code>
                  </span>
                  <CopyButton text={identity} of={field} />
                </p>
              ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}
