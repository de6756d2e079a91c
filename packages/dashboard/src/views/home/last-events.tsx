import type { Event } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Card } from '../../parts/card.tsx';
import { useEvents } from '../../parts/events.ts';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { eventWords as says } from '../../words.ts';
import { eventSays, isOfNote } from './event-says.ts';
import '../../styles/last-events.css';

const shownEvents = 12;
/** Some of them are of no note. */
const asked = { limit: 40 } as const;

/** What happened last; what happens while one looks comes on top. */
export function LastEvents() {
  const store = farm.value;
  const { value, error } = useEvents(store, asked, isOfNote);
  const { value: here } = store.read('listPlayers').value;
  const names = (id: bigint) => here?.players.find((player) => player.id === id)?.name;
  const last = value?.slice(-shownEvents).toReversed();
  return (
    <Card title={says.title} icon="operations">
      <Loaded shown={{ value: last, error }} lines={8} onRetry={() => store.makeOld('getEvents')}>
        {(events) =>
          events.length === 0 ? (
            <Empty icon="operations" title={says.none} />
          ) : (
            <ol class="events">
              {events.map((event) => (
                <li key={`${event.cursor} ${event.type}`}>
                  <Icon name={iconOf(event)} size={20} />
                  <span class="event-text">
                    <bdi>{eventSays(event, names)}</bdi>
                  </span>
                  <span class="faint">
                    <When at={event.at} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}

const topicIcons = {
  chat: 'chat',
  players: 'players',
  farm: 'farm',
  farmhands: 'cabins',
  invites: 'gate',
  operations: 'check',
  backups: 'chest',
  sidecar: 'down',
  server: 'page',
  webhooks: 'bell',
} as const;

function iconOf({ type }: Event) {
  const topic = type.split('.', 1)[0] ?? '';
  return Object.hasOwn(topicIcons, topic) ? topicIcons[topic as keyof typeof topicIcons] : 'sprout';
}
