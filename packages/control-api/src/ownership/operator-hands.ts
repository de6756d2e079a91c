import type { JournalEntry } from '@steward/shared/bridge/claims';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { AppliedOutcome, CommandOutcome, RefusalCode } from '@steward/shared/bridge/outcome';
import { errorCode } from '@steward/shared/error-code';
import type { OperationCommandName } from '../game/operations/operation-commands.ts';
import type { OwnHands, Unkept } from '../game/operations/own-operations.ts';
import { ownershipCommands } from '../game/operations/ownership-commands.ts';
import type { LoadedFarm } from './known-farm.ts';
import { decided, journaled } from './map-changes.ts';
import { factsOf, type OwnerRecord, operatorRecordOf } from './owner.ts';
import type { OwnershipMap } from './ownership-map.ts';
import type { OwnershipParts } from './ownership-parts.ts';
import type { StampClearing } from './stamp-clearing.ts';

type Slot = LoadedFarm['slots'][number];

/** Carries out what an operator decides about owners. The journal is part of the map: both are kept in one write. */
export class OperatorHands implements OwnHands {
  readonly #parts: OwnershipParts;
  readonly #stamps: StampClearing;
  /** What waits for its turn, or is being written: of that nobody can tell yet. */
  readonly #inHand = new Set<string>();

  constructor(parts: OwnershipParts, stamps: StampClearing) {
    this.#parts = parts;
    this.#stamps = stamps;
  }

  get farmId(): string | undefined {
    return this.#parts.farm()?.farmId;
  }

  async carryOut(id: string, name: OperationCommandName, params: object): Promise<CommandOutcome | Unkept> {
    this.#inHand.add(id);
    try {
      return await this.#parts.register.exclusively(() => this.#carryOut(id, name, params));
    } finally {
      this.#inHand.delete(id);
    }
  }

  journal(ids: readonly string[]): readonly JournalEntry[] {
    const { register } = this.#parts;
    // Before the map is there, nobody can tell.
    const { map } = register;
    return ids.map((command) => {
      if (map === undefined || this.#inHand.has(command)) return { command, state: 'working' };
      return entryOf(map, command) ?? { command, state: 'absent' };
    });
  }

  async #carryOut(id: string, name: OperationCommandName, params: object): Promise<CommandOutcome | Unkept> {
    const { register, farm: loaded, log } = this.#parts;
    const farm = loaded();
    if (farm === undefined) return refused('not-ready', 'No farm is loaded');
    const opened = await register.open(farm);
    if (!opened.ok) return refused('failed', opened.reason);
    // A retry that nobody else remembers: what was decided since then stands.
    const done = entryOf(opened.value, id);
    if (done !== undefined) return done.outcome;
    const { target } = ownershipCommands.releaseFarmhand.params.parse(params);
    const [slot, ...more] = farmhandsMeant(farm.slots, target);
    if (slot === undefined)
      return refused('not-found', 'The farmhand was not found: GET /farmhands lists those that there are');
    if (more.length > 0)
      return {
        ...refused('ambiguous', 'Several farmhands have this name: give the playerId of one'),
        matches: [slot, ...more].map((each) => ({ id: each.id, name: each.name })),
      };
    const before = opened.value;
    const after = decided(before, slot, decisionOf(name, params));
    const outcome: AppliedOutcome = {
      outcome: 'applied',
      subject: { id: slot.id, name: slot.name },
      before: factsOf(before.farmhands[slot.id]),
      after: factsOf(after.farmhands[slot.id]),
    };
    try {
      await register.commit(journaled(after, { command: id, state: 'applied', outcome }));
    } catch (error) {
      const why = `the ownership map in STATE_DIR cannot be written (${errorCode(error) ?? 'unknown error'})`;
      return { outcome: 'unkept', why };
    }
    log.info({ operation: id, farmhandId: slot.id, before: outcome.before, after: outcome.after }, name);
    this.#clearStamp(slot);
    return outcome;
  }

  #clearStamp({ id, stamp }: Slot): void {
    if (stamp !== undefined) this.#stamps.clear(id);
  }
}

function entryOf({ journal }: OwnershipMap, command: string) {
  return journal.find((entry) => entry.command === command);
}

function decisionOf(name: OperationCommandName, params: object): OwnerRecord | 'release' {
  if (name === 'releaseFarmhand') return 'release';
  return operatorRecordOf(ownershipCommands.rebindFarmhand.params.parse(params).identity);
}

function refused(code: RefusalCode, message: string) {
  return { outcome: 'refused' as const, code, message };
}
