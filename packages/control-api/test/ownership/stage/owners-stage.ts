import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSteps } from '@steward/service-kit/files/replace-file';
import type { Log } from '@steward/service-kit/log/logger';
import type { FarmhandSlot } from '@steward/shared/bridge/state';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { Operation } from '../../../src/game/operations/operation.ts';
import { Ownership } from '../../../src/ownership/ownership.ts';
import { fileName, OwnershipFile } from '../../../src/ownership/ownership-file.ts';
import { type OwnershipMap, printMap } from '../../../src/ownership/ownership-map.ts';
import { MemoryStore } from '../../game/stage/memory-store.ts';
import { buildBridge, MemoryMode, openFarm } from '../../game/stage/stage.ts';
import { freshSlot, Village } from './village.ts';

export interface OwnersStageOptions {
  readonly slots?: readonly FarmhandSlot[];
  /** What the game can do. */
  readonly capabilities?: readonly string[];
  /** What the file holds before anybody reads it. */
  readonly content?: string | OwnershipMap;
  readonly steps?: FileSteps;
  /** Operations that an earlier process left. */
  readonly operations?: readonly Operation[];
}

/** The bridge and ownership on a real disk, with a village at the other end; both can be started anew. */
export async function openVillage(options: OwnersStageOptions = {}) {
  const directory = temporaryDirectory();
  const clock = new ManualClock();
  const store = new MemoryStore();
  for (const operation of options.operations ?? []) store.kept.set(operation.id, operation);
  const lines: string[] = [];
  const write = (_: object, message: string) => void lines.push(message);
  const log: Log = { debug: () => {}, info: write, warn: write, error: write };
  const rule = { enforced: true };
  const village = new Village(options.slots ?? ['1', '2', '3', '4'].map(freshSlot), options.capabilities);
  const path = join(directory.path, 'Meadow_1', fileName);
  const { content } = options;
  if (content !== undefined) {
    mkdirSync(join(directory.path, 'Meadow_1'));
    writeFileSync(path, typeof content === 'string' ? content : printMap(content));
  }

  const start = async (whole?: (ownership: Ownership) => void) => {
    const mode = new MemoryMode();
    const ownership = new Ownership({
      file: new OwnershipFile(directory.path, options.steps),
      clock,
      log,
      isEnforced: () => rule.enforced,
      hasKey: true,
    });
    const bridge = buildBridge({ mode, clock, store, questions: { ...openFarm, ...ownership.questions } });
    ownership.attach(bridge);
    await bridge.start();
    const unfollow = bridge.follow(({ isWhole }) => {
      if (!isWhole) return;
      unfollow();
      whole?.(ownership);
    });
    const link = { end: mode.connect() };
    await village.connect(link.end.stream);
    return { mode, ownership, bridge, link };
  };
  let running = await start();
  await village.calm();

  return {
    village,
    clock,
    store,
    lines,
    rule,
    path,
    directory: join(directory.path, 'Meadow_1'),
    get ownership() {
      return running.ownership;
    },
    get bridge() {
      return running.bridge;
    },
    /** Puts a map of another farm in its place; returns where. */
    leave(farmId: string, content: string): string {
      const other = join(directory.path, farmId);
      mkdirSync(other);
      writeFileSync(join(other, fileName), content);
      return join(other, fileName);
    },
    onDisk: () => JSON.parse(readFileSync(path, 'utf8')) as OwnershipMap,
    /** Whatever the game has told is done with: an operator's command waits for its turn, also when nothing is enforced. */
    async calm() {
      await village.calm();
      await running.ownership.release({ playerId: '404' });
    },
    /** The service is started again, and the game dials it; `whole` is called as soon as it has told all of its farm. */
    async restart(whole?: (ownership: Ownership) => void) {
      await running.bridge.stop();
      running = await start(whole);
      await village.calm();
    },
    /** The game dies and comes back with an older save. */
    async crash(back = 1) {
      running.link.end.cut();
      village.crash(back);
      await new Promise((resolve) => setImmediate(resolve));
      running.link.end = running.mode.connect();
      await village.connect(running.link.end.stream);
      await village.calm();
    },
    async [Symbol.asyncDispose]() {
      await running.bridge.stop();
      directory[Symbol.dispose]();
    },
  };
}
