import type { ExistingFarm } from '../farm/existing-farm.ts';
import { roundTrip, type Snapshot, snapshotOf } from '../farm/snapshot.ts';

const frozenAfterMs = 5_000;

/** The bodies of the reads, by their path. They never touch the game's thread. */
export function readsOf(farm: ExistingFarm, startedAt: Date): Readonly<Record<string, () => object>> {
  const snapshot = (): Snapshot => farm.snapshot ?? snapshotOf(farm, 0);
  return {
    '/status': () => snapshot().status,
    '/players': () => ({ players: snapshot().players, version: snapshot().version }),
    '/farmhands': () => ({ farmhands: snapshot().farmhands, version: snapshot().version }),
    '/cabins': () => snapshot().cabins,
    '/rendering': () => ({ fps: farm.fps }),
    '/invite-code': () => inviteCode(farm),
    '/health': () => healthOf(farm),
    '/stats': () => statsOf(farm, startedAt),
    '/settings': () => ({
      game: { farmName: farm.farmName, ...farm.gameSettings },
      server: {
        maxPlayers: farm.maxPlayers,
        cabinStrategy: 'CabinStack',
        separateWallets: false,
        existingCabinBehavior: 'KeepExisting',
      },
    }),
    '/auth': () => ({
      enabled: false,
      authenticatedCount: 0,
      pendingCount: 0,
      timeoutSeconds: 0,
      maxAttempts: 0,
    }),
  };
}

export function healthOf({ thread, isReady }: ExistingFarm) {
  const { lastTickMs } = thread;
  const isFrozen = lastTickMs === undefined || lastTickMs > frozenAfterMs;
  return {
    status: isFrozen ? 'degraded' : 'ok',
    timestamp: roundTrip(new Date()),
    lastTickMs,
    pendingActions: thread.pending,
    gameAvailable: isReady,
    tickCount: thread.ticks,
    isFrozen,
  };
}

function inviteCode({ networkCode }: ExistingFarm): object {
  return networkCode === undefined
    ? { error: 'No invite code available' }
    : { inviteCode: `S${networkCode}` };
}

function statsOf({ thread }: ExistingFarm, startedAt: Date): object {
  return {
    fps: 0,
    tps: 60,
    targetTps: 60,
    avgTickMs: 1.25,
    memoryMb: 512.5,
    gcGen0: 3,
    gcGen1: 2,
    gcGen2: 1,
    pendingActions: thread.pending,
    gameThreadWaitMs: 0.5,
    startedAtUtc: roundTrip(startedAt),
    uptimeSeconds: Math.floor((Date.now() - startedAt.getTime()) / 1_000),
  };
}
