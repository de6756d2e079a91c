import type { WholeState } from '@steward/shared/bridge/state';
import { cabinsOf, emptyFarm, slot } from '@steward/testing/game/empty-farm';
import type { Fault } from '@steward/testing/game/faults';
import { ScriptedGame } from '@steward/testing/game/scripted-game';

export const ids = {
  ann: '620826087702429092',
  bob: '-4611686018427387905',
  twinOne: '42',
  twinTwo: '9223372036854775807',
  free: '7',
} as const;

/** A farm with whatever an answer can show: ids beyond 2^53, twins by name, someone online, a free slot. */
export function fullFarm(): WholeState {
  const { status, cabins } = emptyFarm();
  const farmhands = [
    { ...slot(ids.ann, 'Ann'), isOnline: true },
    slot(ids.bob, 'Bob'),
    slot(ids.twinOne, 'Kim'),
    slot(ids.twinTwo, 'kim'),
    slot(ids.free),
  ];
  return {
    farm: { farmId: 'Sunnybrook_398472611', saveGeneration: 12 },
    status: {
      ...status,
      playerCount: 1,
      serverVersion: '1.4.1',
      isPaused: false,
      farmName: 'Sunnybrook',
      day: 5,
      timeOfDay: 930,
    },
    players: [{ id: ids.ann, name: 'Ann', connectionId: 'GN_76561198000000001', isAdmin: false }],
    farmhands,
    cabins: { ...cabins, cabins: cabinsOf(farmhands), savedPositionPlayerIds: [ids.ann] },
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

/** The game of this farm. Of what its journal does not know it still works on it. */
export function fullGame(capabilities: readonly string[], fault?: Fault): ScriptedGame {
  return new ScriptedGame({ state: fullFarm(), capabilities, otherwise: 'working', fault });
}
