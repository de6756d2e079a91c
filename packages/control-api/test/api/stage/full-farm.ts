import type { WholeState } from '@steward/shared/bridge/state';

export const ids = {
  ann: '620826087702429092',
  bob: '-4611686018427387905',
  twinOne: '42',
  twinTwo: '9223372036854775807',
  free: '7',
} as const;

/** A farm with whatever an answer can show: ids beyond 2^53, twins by name, someone online, a free slot. */
export function fullFarm(): WholeState {
  const slot = (id: string, name: string, isOnline = false) => ({
    id,
    name,
    isCustomized: name !== '',
    isOnline,
    isAdmin: false,
  });
  const farmhands = [
    slot(ids.ann, 'Ann', true),
    slot(ids.bob, 'Bob'),
    slot(ids.twinOne, 'Kim'),
    slot(ids.twinTwo, 'kim'),
    slot(ids.free, ''),
  ];
  return {
    farm: { farmId: 'Sunnybrook_398472611', saveGeneration: 12 },
    status: {
      playerCount: 1,
      maxPlayers: 10,
      serverVersion: '1.4.1',
      gameVersion: '1.6.15',
      isOnline: true,
      isReady: true,
      dayTransitionComplete: true,
      isPaused: false,
      farmName: 'Sunnybrook',
      farmTypeKey: 'Standard',
      day: 5,
      season: 'spring',
      year: 1,
      timeOfDay: 930,
    },
    players: [{ id: ids.ann, name: 'Ann', connectionId: 'GN_76561198000000001', isAdmin: false }],
    farmhands,
    cabins: {
      strategy: 'CabinStack',
      cabins: farmhands.map(({ id, name }) => ({
        tileX: -20,
        tileY: -20,
        isHidden: true,
        type: 'CabinStack' as const,
        ownerId: id,
        ownerName: name,
        isAssigned: name !== '',
      })),
      savedPositionPlayerIds: [ids.ann],
    },
    rendering: { fps: 0 },
    stats: {
      fps: 0,
      tps: 59.9,
      targetTps: 60,
      avgTickMs: 1.25,
      memoryMb: 512.5,
      gcGen0: 20,
      gcGen1: 4,
      gcGen2: 1,
      pendingActions: 0,
      gameThreadWaitMs: 0.02,
      uptimeSeconds: 3_600,
    },
    networks: {
      relay: { serverId: '90071992547409920' },
      network: {
        signedIn: true,
        lobby: { id: '109775241001034568', visibility: 'public', platformLobbyId: '109775241001034569' },
      },
      directIp: { listening: true, port: 24642 },
    },
  };
}
