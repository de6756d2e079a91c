import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChatRelay } from '../../chat/chat-relay.ts';

const gauges: readonly { name: string; help: string; value: (relay: ChatRelay) => number }[] = [
  { name: 'connections', help: 'Open chat connections', value: ({ connections }) => connections },
  { name: 'listeners', help: 'Chat connections that receive the chat', value: ({ listeners }) => listeners },
];

const counters: readonly { name: string; help: string; value: (relay: ChatRelay) => number }[] = [
  { name: 'connections_opened', help: 'Accepted chat connections', value: ({ counts }) => counts.opened },
  {
    name: 'authenticated',
    help: 'Chat connections that received the chat',
    value: ({ counts }) => counts.authenticated,
  },
  { name: 'relayed', help: 'Messages of players that were relayed', value: ({ counts }) => counts.relayed },
  {
    name: 'delivered',
    help: 'Messages of players, counted for each client that received them',
    value: ({ told }) => told.chatLines,
  },
  { name: 'received', help: 'Messages from clients', value: ({ counts }) => counts.received },
  {
    name: 'dropped',
    help: 'Messages from clients that came too fast',
    value: ({ counts }) => counts.dropped,
  },
  { name: 'resumed', help: 'Clients that caught up', value: ({ counts }) => counts.resumed },
  { name: 'gaps', help: 'Clients that caught up with a gap', value: ({ counts }) => counts.gaps },
];

const families: readonly {
  name: string;
  help: string;
  label: string;
  values: (relay: ChatRelay) => Readonly<Record<string, number>>;
}[] = [
  {
    name: 'refused',
    help: 'Chat connections refused, by the limit',
    label: 'limit',
    values: ({ counts }) => counts.refused,
  },
  {
    name: 'closed',
    help: 'Chat connections that the server closed, by the reason',
    label: 'reason',
    values: ({ counts }) => counts.closed,
  },
  {
    name: 'sent',
    help: 'Messages of clients to the game, by outcome',
    label: 'status',
    values: ({ counts }) => counts.sent,
  },
];

/** The relay counts for itself; Prometheus reads when it asks. */
export function measureChat(registry: Registry, relay: ChatRelay): void {
  const registers = [registry];
  for (const { name, help, value } of gauges) {
    new Gauge({
      name: `steward_chat_${name}`,
      help,
      registers,
      collect() {
        this.set(value(relay));
      },
    });
  }
  for (const { name, help, value } of counters) {
    new Counter({
      name: `steward_chat_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value(relay));
      },
    });
  }
  for (const { name, help, label, values } of families) {
    new Counter({
      name: `steward_chat_${name}_total`,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [key, count] of Object.entries(values(relay))) this.inc({ [label]: key }, count);
      },
    });
  }
}
