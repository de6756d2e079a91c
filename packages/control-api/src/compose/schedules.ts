import { Problem } from '@steward/shared/problems/problem';
import type { Backups } from '../backups/backups.ts';
import type { Drains } from '../drain/drains.ts';
import type { Announcer } from '../game/announcer.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { type BridgeState, hasNoFarm, isConnected } from '../game/state/bridge-state.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { ScheduleRuns } from '../schedules/running.ts';
import { Schedules, type SchedulesParts } from '../schedules/schedules.ts';
import { Emptiness, type EmptinessParts } from '../status/emptiness.ts';
import type { Store } from '../store/store.ts';
import type { GameUpdates } from '../updates/game-updates.ts';

export interface ComposeSchedulesParts extends Pick<SchedulesParts, 'audit' | 'events' | 'clock' | 'log'> {
  readonly bridge: GameBridge;
  readonly announcer: Announcer;
  readonly backups: Backups;
  readonly drains: Pick<Drains, 'start'>;
  readonly updates: Pick<GameUpdates, 'run' | 'demand'>;
  readonly keys: KeyRing;
  readonly samples: EmptinessParts['samples'];
  readonly store: Pick<Store, 'schedules'>;
}

/** What is done by itself, and since when nobody is online, which some of it waits for. */
export function composeSchedules(parts: ComposeSchedulesParts) {
  const { bridge, announcer, backups, drains, updates, keys, samples, store, audit, events, clock, log } =
    parts;
  const emptiness = new Emptiness({ bridge, samples, clock, visited: () => schedules.visited() });
  // What the handlers of their endpoints call, too.
  const runs: ScheduleRuns = {
    save: () => bridge.run({ name: 'save', params: {} }),
    announce: async ({ message }) => {
      const said = await announcer.announce(message);
      if (!said.ok) throw new Problem('invalid-parameter', `message ${said.reason}`);
      return said.value.result;
    },
    rendering: ({ fps }) => bridge.run({ name: 'setRenderRate', params: { fps } }),
    backup: (backup) => backups.create({ ...backup, why: 'schedule' }, undefined),
    drain: (drain) => drains.start(drain, undefined),
    update: (order) => updates.run(order, undefined),
  };
  const schedules = new Schedules({
    kept: store.schedules(),
    runs,
    operations: bridge.operations,
    audit,
    events,
    whyEnded: (keyId) => keys.whyEnded(keyId),
    mayComeBack: (keyId) => keys.mayComeBack(keyId),
    emptySince: () => emptiness.since,
    demands: { update: () => updates.demand() },
    isGameStarting: () => isStarting(bridge.state),
    clock,
    log,
  });
  return { schedules, emptiness };
}

/**
 * A game that is not started here is not known to start: it is waited for until it has come for the first time. Each is waited for
 * until it has its farm, as it can save none before. A server that rules the game itself tells of none.
 */
function isStarting(state: BridgeState): boolean {
  const { link, isWhole, selfHosted } = state;
  if (['starting', 'waiting'].includes(link.status)) return true;
  return selfHosted === undefined && isConnected(link.status) && (!isWhole || hasNoFarm(state));
}
