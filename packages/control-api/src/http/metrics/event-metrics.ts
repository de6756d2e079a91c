import { readWhenAsked } from '@steward/service-kit/process/read-when-asked';
import type { Registry } from 'prom-client';
import type { ChatRelay } from '../../chat/chat-relay.ts';
import type { EventStreams } from '../../events/event-streams.ts';
import { doors, type Seats } from '../../events/seats.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';

/** The relay counts for itself. */
export function measureChat(registry: Registry, relay: ChatRelay): void {
  const { gauge, counter, counterBy } = readWhenAsked(registry);
  const { counts } = relay;
  gauge('steward_chat_connections', 'Open chat connections', () => relay.connections);
  gauge('steward_chat_listeners', 'Chat connections that receive the chat', () => relay.listeners);
  counter('steward_chat_connections_opened_total', 'Accepted chat connections', () => counts.opened);
  counter(
    'steward_chat_authenticated_total',
    'Chat connections that received the chat',
    () => counts.authenticated,
  );
  counter('steward_chat_relayed_total', 'Messages of players that were relayed', () => counts.relayed);
  counter(
    'steward_chat_delivered_total',
    'Messages of players, counted for each client that received them',
    () => relay.told.chatLines,
  );
  counter('steward_chat_received_total', 'Messages from clients', () => counts.received);
  counter('steward_chat_dropped_total', 'Messages from clients that came too fast', () => counts.dropped);
  counter('steward_chat_resumed_total', 'Clients that caught up', () => counts.resumed);
  counter('steward_chat_gaps_total', 'Clients that caught up with a gap', () => counts.gaps);
  counterBy('steward_chat_refused_total', 'Chat connections refused, by the limit', ['limit'], () =>
    Object.entries(counts.refused),
  );
  counterBy(
    'steward_chat_closed_total',
    'Chat connections that the server closed, by the reason',
    ['reason'],
    () => Object.entries(counts.closed),
  );
  counterBy('steward_chat_sent_total', 'Messages of clients to the game, by outcome', ['status'], () =>
    Object.entries(counts.sent),
  );
}

/** Who counts what happens on the doors by which events are told. */
export interface CountedDoors {
  readonly seats: Seats;
  readonly relay: ChatRelay;
  readonly streams: EventStreams;
}

/** The doors count for themselves. */
export function measureEvents(registry: Registry, { seats, relay, streams }: CountedDoors): void {
  const { gaugeBy, counter, counterBy } = readWhenAsked(registry);
  const byDoor = (name: string, help: string, ws: () => number, stream: () => number) =>
    counterBy(`steward_events_${name}_total`, help, ['door'], () => [
      ['ws', ws()],
      ['stream', stream()],
    ]);
  gaugeBy('steward_events_listeners', 'Current listeners, by transport', ['door'], () =>
    doors.map((door) => [door, seats.taken[door]]),
  );
  counter('steward_events_streams_opened_total', 'Streams that were opened', () => streams.opened);
  counterBy(
    'steward_events_refused_total',
    'Listeners that were refused, by transport and limit',
    ['door', 'limit'],
    () =>
      doors.flatMap((door) =>
        Object.entries(seats.refused[door]).map(([limit, count]) => [door, limit, count] as const),
      ),
  );
  byDoor(
    'told',
    'Live events, counted for each client that received them',
    () => relay.told.events,
    () => streams.told.events,
  );
  byDoor(
    'resumed',
    'Clients that caught up',
    () => relay.counts.resumed,
    () => streams.resumed,
  );
  byDoor(
    'gaps',
    'Clients that caught up with a gap',
    () => relay.counts.gaps,
    () => streams.gaps,
  );
  byDoor(
    'slow_readers',
    'Clients that were dropped because they did not read',
    () => relay.counts.closed['slow-reader'],
    () => streams.closed['slow-reader'],
  );
  counterBy(
    'steward_events_streams_closed_total',
    'Streams that the server ended, by the reason',
    ['reason'],
    () => Object.entries(streams.closed),
  );
}

/** The webhooks keep count themselves. By their ids: what they are called is for an admin alone, and this is for whoever may read. */
export function measureWebhooks(
  registry: Registry,
  webhooks: Pick<Webhooks, 'counts' | 'tries' | 'waiting'>,
): void {
  const { gaugeBy, counterBy } = readWhenAsked(registry);
  gaugeBy('steward_webhooks', 'Webhooks by state: active, failing, or switched off', ['state'], () =>
    Object.entries(webhooks.counts),
  );
  counterBy(
    'steward_webhook_deliveries_total',
    'Messages to webhooks, by outcome: delivered, failed and retried, or given up',
    ['outcome'],
    () => Object.entries(webhooks.tries),
  );
  gaugeBy(
    'steward_webhook_failing',
    '1 while the last message to a webhook failed, and if it is off because of that; 0 otherwise',
    ['webhook'],
    () => [...webhooks.waiting].map(({ id, isFailing }) => [id, Number(isFailing)]),
  );
  gaugeBy(
    'steward_webhook_oldest_undelivered_seconds',
    'Age of the oldest event that an active webhook has not received yet; 0 if there is none',
    ['webhook'],
    () => [...webhooks.waiting].map(({ id, seconds }) => [id, seconds]),
  );
}
