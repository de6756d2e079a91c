import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { journalLength } from '@steward/shared/bridge/protocol';
import type { WholeState } from '@steward/shared/bridge/state';
import type { Fault } from './faults.ts';

interface Saved {
  generation: number;
  timeOfDay: number;
  admins: string[];
  farmhands: { id: string; name: string }[];
  journal: [string, AppliedOutcome][];
}

export interface WorldFiles {
  /** Where the farm is saved; without one a crash forgets everything. */
  readonly save?: string | undefined;
  /** Where each application, save and start leaves a line, for tests that look back over crashes. */
  readonly trace?: string | undefined;
}

/** A farm of two slots and a clock that stands still: all that the bridge's rules need. */
export class World {
  readonly #files: WorldFiles;
  readonly #fault: Fault | undefined;
  readonly #farm: string;
  #saved: Saved;
  fps = 0;
  platformLobbyId: string | undefined;

  constructor(files: WorldFiles, fault: Fault | undefined) {
    this.#files = files;
    this.#fault = fault;
    this.#farm = fault === 'changes-farm' ? `Meadow_${process.pid}_${Date.now()}` : 'Meadow_1';
    this.#saved = this.#load();
    this.trace('start');
  }

  get now(): Saved {
    return this.#saved;
  }

  recall(command: string): AppliedOutcome | undefined {
    return this.#saved.journal.find(([id]) => id === command)?.[1];
  }

  /** The effect and the journal's entry are one: a save has both or neither. */
  record(command: string, outcome: AppliedOutcome): void {
    this.trace(`apply ${command}`);
    this.#saved.journal.push([command, outcome]);
    if (this.#saved.journal.length > journalLength) this.#saved.journal.shift();
    if (this.#fault === 'journal-outlives-crash') this.#write(true);
  }

  save(): void {
    this.#saved.generation += 1;
    this.#write(false);
    this.trace('save');
  }

  trace(line: string): void {
    if (this.#files.trace !== undefined) appendFileSync(this.#files.trace, `${line}\n`);
  }

  get farm(): { farmId: string; saveGeneration: number } {
    return { farmId: this.#farm, saveGeneration: this.#saved.generation };
  }

  get state(): WholeState {
    const { farmhands, admins, timeOfDay } = this.#saved;
    return {
      farm: this.farm,
      status: {
        playerCount: 0,
        maxPlayers: 4,
        serverVersion: '1.0.0',
        gameVersion: '1.0.0',
        isOnline: true,
        isReady: true,
        dayTransitionComplete: true,
        isPaused: true,
        farmName: 'Meadow',
        farmTypeKey: 'Standard',
        day: 1,
        season: 'spring',
        year: 1,
        timeOfDay,
      },
      players: [],
      farmhands: farmhands.map(({ id, name }) => ({
        id,
        name,
        isCustomized: name !== '',
        isOnline: false,
        isAdmin: admins.includes(id),
      })),
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
        savedPositionPlayerIds: [],
      },
      rendering: { fps: this.fps },
      stats: {
        fps: this.fps,
        tps: 2,
        targetTps: 2,
        avgTickMs: 0.1,
        memoryMb: 1,
        gcGen0: 0,
        gcGen1: 0,
        gcGen2: 0,
        pendingActions: 0,
        gameThreadWaitMs: 0,
        uptimeSeconds: Math.floor(process.uptime()),
      },
      networks: {
        relay: { why: 'this game has no relay' },
        network: {
          signedIn: true,
          lobby: {
            id: '109775241001034568',
            visibility: this.#fault === 'closed-lobby' ? 'friends-only' : 'public',
            ...(this.platformLobbyId === undefined ? {} : { platformLobbyId: this.platformLobbyId }),
          },
        },
        directIp: { listening: false, why: 'this game has no network' },
      },
    };
  }

  #load(): Saved {
    const { save } = this.#files;
    if (save !== undefined && existsSync(save)) return JSON.parse(readFileSync(save, 'utf8')) as Saved;
    const farmhands = [
      { id: '-620826087702429092', name: 'Robin' },
      { id: '771230', name: '' },
    ];
    return { generation: 0, timeOfDay: 600, admins: [], farmhands, journal: [] };
  }

  #write(journalAlone: boolean): void {
    const { save } = this.#files;
    if (save === undefined) return;
    const { journal } = this.#saved;
    let written = this.#saved;
    if (this.#fault === 'journal-not-saved') written = { ...written, journal: [] };
    if (journalAlone && existsSync(save)) {
      written = { ...(JSON.parse(readFileSync(save, 'utf8')) as Saved), journal };
    }
    writeFileSync(`${save}.new`, JSON.stringify(written));
    renameSync(`${save}.new`, save);
  }
}
