import { infoLabels, infoMetric } from '@steward/service-kit/process/info-metric';
import { createProcessMetrics } from '@steward/service-kit/process/process-metrics';
import { oneOf, readWhenAsked } from '@steward/service-kit/process/read-when-asked';
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
  const { gauge, gaugeBy } = readWhenAsked(registry);
  new Gauge({ ...infoMetric, registers: [registry] }).set(infoLabels(instance, version), 1);
  measureFarm(registry, bridge);
  gauge('steward_state_unwritable', '1 while STATE_DIR cannot be written, 0 while it can', () =>
    Number(disk.problem !== undefined),
  );
  measureStore(registry, store, bridge);
  measureHappenings(registry, bridge);
  gaugeBy(
    'steward_keys',
    'Keys beside API_KEY: active ones, and ended ones that are still stored',
    ['state'],
    () => Object.entries(keys.counts),
  );
  gaugeBy(
    'steward_draining',
    '1 for the current phase of a drain, 0 for the others; stopped: a drain has stopped the game',
    ['phase'],
    () => oneOf(drainPhases, drains.standing?.phase),
  );
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
  const { gauge, counter } = readWhenAsked(registry);
  gauge('steward_state_unreadable', '1 while the database cannot be used, 0 while it can', () =>
    Number(store.problem !== undefined),
  );
  gauge('steward_database_bytes', 'Size of the database on the disk, with its journal', () => store.bytes);
  counter('steward_events_kept_total', 'Events that were stored', () => events.counts.kept);
  counter(
    'steward_events_lost_total',
    'Events that could not be stored: a gap for clients that reconnect',
    () => events.counts.lost,
  );
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

export function measureFarm(registry: Registry, farm: Pick<GameBridge, 'state' | 'ticks'>): void {
  const { gauge, gaugeBy } = readWhenAsked(registry);
  const status = () => currentStatus(farm.state);
  const stats = () => statsOf(farm.state);
  gauge('steward_players', 'Players online', () => status().playerCount);
  gauge('steward_players_max', 'Players that may be online', () => status().maxPlayers);
  gauge('steward_farm_time_of_day', 'Time on the farm, HHMM from 600 to 2600', () => status().timeOfDay);
  gauge('steward_farm_day', 'Day of the season, from 1', () => status().day);
  gauge('steward_farm_year', 'Year of the farm, from 1', () => status().year);
  gauge('steward_farm_online', '1 while a farm is loaded', () => Number(status().isOnline));
  gauge('steward_game_chat_connected', '1 while the chat to the game works', () =>
    Number(isConnected(farm.state.link.status) && farm.state.chatLost === undefined),
  );
  gauge('steward_game_ticks_per_second', 'Tick rate of the game', () => stats().tps);
  gauge('steward_game_ticks_per_second_target', 'Tick rate that the game aims at', () => stats().targetTps);
  gauge('steward_game_tick_age_seconds', 'Seconds since the last tick; -1 before the first', () =>
    farm.ticks.ageMs === undefined ? -1 : farm.ticks.ageMs / 1_000,
  );
  gaugeBy(
    'steward_bridge_state',
    '1 for the current state of the bridge to the game, 0 for the others',
    ['state'],
    () => oneOf(linkStatus.options, farm.state.link.status),
  );
}
