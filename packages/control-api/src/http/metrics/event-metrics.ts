import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChatRelay } from '../../chat/chat-relay.ts';
import type { EventStreams } from '../../events/event-streams.ts';
import { doors, type Seats } from '../../events/seats.ts';

/** Who counts what happens on the doors by which events are told. */
export interface CountedDoors {
  readonly seats: Seats;
  readonly relay: ChatRelay;
  readonly streams: EventStreams;
}

type ByDoor = Readonly<Record<string, number>>;

const families: readonly {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: (counted: CountedDoors) => ByDoor;
}[] = [
  {
    name: 'told',
    help: 'Live events, counted for each client that received them',
    label: 'door',
    values: ({ relay, streams }) => ({ ws: relay.told.events, stream: streams.told.events }),
  },
  {
    name: 'resumed',
    help: 'Clients that caught up',
    label: 'door',
    values: ({ relay, streams }) => ({ ws: relay.counts.resumed, stream: streams.resumed }),
  },
  {
    name: 'gaps',
    help: 'Clients that caught up with a gap',
    label: 'door',
    values: ({ relay, streams }) => ({ ws: relay.counts.gaps, stream: streams.gaps }),
  },
  {
    name: 'slow_readers',
    help: 'Clients that were dropped because they did not read',
    label: 'door',
    values: ({ relay, streams }) => ({
      ws: relay.counts.closed['slow-reader'],
      stream: streams.closed['slow-reader'],
    }),
  },
  {
    name: 'streams_closed',
    help: 'Streams that the server ended, by the reason',
    label: 'reason',
    values: ({ streams }) => streams.closed,
  },
];

/** The doors count for themselves; Prometheus reads when it asks. */
export function measureEvents(registry: Registry, counted: CountedDoors): void {
  const registers = [registry];
  const { seats, streams } = counted;
  new Gauge({
    name: 'steward_events_listeners',
    help: 'Current listeners, by transport',
    labelNames: ['door'],
    registers,
    collect() {
      for (const door of doors) this.set({ door }, seats.taken[door]);
    },
  });
  new Counter({
    name: 'steward_events_streams_opened_total',
    help: 'Streams that were opened',
    registers,
    collect() {
      this.reset();
      this.inc(streams.opened);
    },
  });
  new Counter({
    name: 'steward_events_refused_total',
    help: 'Listeners that were refused, by transport and limit',
    labelNames: ['door', 'limit'],
    registers,
    collect() {
      this.reset();
      for (const door of doors)
        for (const [limit, count] of Object.entries(seats.refused[door])) this.inc({ door, limit }, count);
    },
  });
  for (const { name, help, label, values } of families) {
    new Counter({
      name: `steward_events_${name}_total`,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [key, count] of Object.entries(values(counted))) this.inc({ [label]: key }, count);
      },
    });
  }
}
