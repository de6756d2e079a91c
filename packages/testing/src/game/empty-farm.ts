import type { FarmhandSlot, WholeState } from '@steward/shared/bridge/state';

/** A farm with nobody on it; whoever asks may change it. */
export function emptyFarm(): WholeState {
  return {
    farm: { farmId: 'Meadow_1', saveGeneration: 3 },
    status: {
      playerCount: 0,
      maxPlayers: 10,
      serverVersion: '1.0.0',
      gameVersion: '1.6.15',
      isOnline: true,
      isReady: true,
      dayTransitionComplete: true,
      isPaused: true,
      farmName: 'Meadow',
      farmTypeKey: 'Standard',
      day: 1,
      season: 'spring',
      year: 1,
      timeOfDay: 600,
    },
    players: [],
    farmhands: [],
    cabins: { strategy: 'CabinStack', cabins: [], savedPositionPlayerIds: [] },
    rendering: { fps: 0 },
    stats: {
      fps: 0,
      tps: 60,
      targetTps: 60,
      avgTickMs: 1,
      memoryMb: 100,
      gcGen0: 0,
      gcGen1: 0,
      gcGen2: 0,
      pendingActions: 0,
      gameThreadWaitMs: 0,
      uptimeSeconds: 1,
    },
    networks: { relay: {}, network: { signedIn: false }, directIp: { listening: false } },
  };
}

/** Somebody who plays. */
export const robin = { id: '-620826087702429092', name: 'Robin', connectionId: 'L_1', isAdmin: false };

/** Nobody's yet, where it has no name. */
export function slot(id: string, name = ''): FarmhandSlot {
  return { id, name, isCustomized: name !== '', isOnline: false, isAdmin: false };
}

/** The stacked cabins of these farmhands. */
export function cabinsOf(farmhands: readonly FarmhandSlot[]): WholeState['cabins']['cabins'] {
  return farmhands.map(({ id, name }) => ({
    tileX: -20,
    tileY: -20,
    isHidden: true,
    type: 'CabinStack',
    ownerId: id,
    ownerName: name,
    isAssigned: name !== '',
  }));
}
