import { infoLabels, infoMetric } from '@steward/service-kit/process/info-metric';
import { createProcessMetrics } from '@steward/service-kit/process/process-metrics';
import { linkStatus } from '@steward/shared/bridge/protocol';
import { drainPhases } from '@steward/shared/drain';
import { eventTypeNames, topicOf } from '@steward/shared/events/event-types';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Drains } from '../../drain/drains.ts';
import { keptEvents } from '../../game/bridge-events.ts';
import type { GameBridge } from '../../game/game-bridge.ts';
import { isConnected } from '../../game/state/bridge-state.ts';
import type { Invites } from '../../invites/invites.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { StateDirectory } from '../../store/directory/state-directory.ts';
import type { Store } from '../../store/store.ts';
import { currentStatus, statsOf } from '../bodies/status.ts';
import { measureInvites, measureSidecar } from './invite-metrics.ts';

export interface Measured {
  readonly instance: string;
  readonly version: string;
  readonly bridge: Pick<GameBridge, 'state' | 'ticks' | 'events'>;
  readonly invites: Invites;
  readonly disk: Pick<StateDirectory, 'problem'>;
  readonly store: Pick<Store, 'problem' | 'bytes'>;
  readonly keys: Pick<KeyRing, 'counts'>;
  readonly drains: Pick<Drains, 'standing'>;
}

/** What this process measures of itself and its farm; further parts of the service register their own. */
export function createMetrics(measured: Measured): Registry {
  const { bridge, invites, disk, store, keys, drains, instance, version } = measured;
  const registry = createProcessMetrics();
  new Gauge({ ...infoMetric, registers: [registry] }).set(infoLabels(instance, version), 1);
  measureFarm(registry, bridge);
  new Gauge({
    name: 'steward_state_unwritable',
    help: '1 while STATE_DIR cannot be written, 0 while it can',
    registers: [registry],
    collect() {
      this.set(Number(disk.problem !== undefined));
    },
  });
  measureStore(registry, store, bridge);
  measureHappenings(registry, bridge);
  new Gauge({
    name: 'steward_keys',
    help: 'Keys beside API_KEY: active ones, and ended ones that are still stored',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(keys.counts)) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'steward_draining',
    help: '1 for the current phase of a drain, 0 for the others; stopped: a drain has stopped the game',
    labelNames: ['phase'],
    registers: [registry],
    collect() {
      for (const phase of drainPhases) this.set({ phase }, Number(drains.standing?.phase === phase));
    },
  });
  measureInvites(registry, invites);
  if (invites.sidecar !== undefined) measureSidecar(registry, invites.sidecar);
  return registry;
}

/** What is kept over restarts, and whether it is. */
function measureStore(
  registry: Registry,
  store: Measured['store'],
  { events }: Pick<GameBridge, 'events'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_state_unreadable',
    help: '1 while the database cannot be used, 0 while it can',
    registers,
    collect() {
      this.set(Number(store.problem !== undefined));
    },
  });
  new Gauge({
    name: 'steward_database_bytes',
    help: 'Size of the database on the disk, with its journal',
    registers,
    collect() {
      this.set(store.bytes);
    },
  });
  for (const [fate, help] of eventFates)
    new Counter({
      name: `steward_events_${fate}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(events.counts[fate]);
      },
    });
}

/** Each type is there from the start, so that the first of its events is seen as one. */
function measureHappenings(registry: Registry, { events }: Pick<GameBridge, 'events'>): void {
  const happened = new Counter({
    name: 'steward_events_happened_total',
    help: 'Events, by their topic and type',
    labelNames: ['topic', 'type'],
    registers: [registry],
  });
  for (const type of eventTypeNames) happened.inc({ topic: topicOf(type), type }, 0);
  events.follow(({ event }) => {
    const topic = keptEvents.topicOf(event);
    // What is for nobody else is not counted either.
    if (topic !== undefined) happened.inc({ topic, type: event.type });
  });
}

const eventFates = [
  ['kept', 'Events that were stored'],
  ['lost', 'Events that could not be stored: a gap for clients that reconnect'],
] as const;

type Farm = Pick<GameBridge, 'state' | 'ticks'>;

/** Read when Prometheus asks: the state is there anyway. */
const gauges: readonly { name: string; help: string; value: (farm: Farm) => number }[] = [
  { name: 'players', help: 'Players online', value: ({ state }) => currentStatus(state).playerCount },
  {
    name: 'players_max',
    help: 'Players that may be online',
    value: ({ state }) => currentStatus(state).maxPlayers,
  },
  {
    name: 'farm_time_of_day',
    help: 'Time on the farm, HHMM from 600 to 2600',
    value: ({ state }) => currentStatus(state).timeOfDay,
  },
  { name: 'farm_day', help: 'Day of the season, from 1', value: ({ state }) => currentStatus(state).day },
  { name: 'farm_year', help: 'Year of the farm, from 1', value: ({ state }) => currentStatus(state).year },
  {
    name: 'farm_online',
    help: '1 while a farm is loaded',
    value: ({ state }) => Number(currentStatus(state).isOnline),
  },
  {
    name: 'game_chat_connected',
    help: '1 while the chat to the game works',
    value: ({ state }) => Number(isConnected(state.link.status) && state.chatLost === undefined),
  },
  {
    name: 'game_ticks_per_second',
    help: 'Tick rate of the game',
    value: ({ state }) => statsOf(state).tps,
  },
  {
    name: 'game_ticks_per_second_target',
    help: 'Tick rate that the game aims at',
    value: ({ state }) => statsOf(state).targetTps,
  },
  {
    name: 'game_tick_age_seconds',
    help: 'Seconds since the last tick; -1 before the first',
    value: ({ ticks }) => (ticks.ageMs === undefined ? -1 : ticks.ageMs / 1_000),
  },
];

export function measureFarm(registry: Registry, farm: Farm): void {
  for (const { name, help, value } of gauges) {
    new Gauge({
      name: `steward_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value(farm));
      },
    });
  }
  new Gauge({
    name: 'steward_bridge_state',
    help: '1 for the current state of the bridge to the game, 0 for the others',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of linkStatus.options) this.set({ state }, Number(state === farm.state.link.status));
    },
  });
}
