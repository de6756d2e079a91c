import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import type { Answer } from '@steward/shared/bridge/peer';
import type { FarmhandSlot, WholeState } from '@steward/shared/bridge/state';
import { emptyFarm, slot } from '@steward/testing/game/empty-farm';
import { ScriptedGame } from '@steward/testing/game/scripted-game';

interface Save {
  readonly generation: number;
  readonly slots: FarmhandSlot[];
  readonly journal: readonly (readonly [string, CommandOutcome])[];
}

/** A game that asks before it lets anybody in, keeps its slots in a save, and goes back to that when it crashes. */
export class Village extends ScriptedGame {
  /** The connection that is on each farmhand. */
  readonly online = new Map<string, string>();
  /** The saves that were made, oldest first. */
  readonly saves: Save[] = [];

  constructor(slots: readonly FarmhandSlot[], capabilities: readonly string[] = ['clearStamp']) {
    super({
      name: 'Village',
      capabilities,
      state: { ...emptyFarm(), farm: { farmId: 'Meadow_1', saveGeneration: 1 } },
    });
    this.slots = structuredClone([...slots]);
    this.save();
  }

  get slots(): FarmhandSlot[] {
    return this.state.farmhands;
  }

  set slots(slots: FarmhandSlot[]) {
    this.state.farmhands = slots;
  }

  set farmId(farmId: string) {
    this.state.farm = { farmId, saveGeneration: this.#generation };
  }

  /** Not while it loads. */
  set isOnline(isOnline: boolean) {
    this.state.status.isOnline = isOnline;
  }

  slot(id: string): FarmhandSlot {
    const found = this.slots.find((each) => each.id === id);
    if (found === undefined) throw new Error(`there is no slot ${id}`);
    return found;
  }

  override tell(sections: Partial<WholeState> = this.state): void {
    this.state.players = [...this.online].map(([id, connectionId]) => ({
      id,
      connectionId,
      name: this.slot(id).name,
      isAdmin: false,
    }));
    super.tell(sections);
  }

  /** Whom it would show this slot to. */
  async shows(connectionId: string): Promise<readonly string[]> {
    const answer = await this.ask('visibleSlots', { connectionId, slots: this.slots });
    return resultOf<{ farmhandIds: string[] }>(answer).farmhandIds;
  }

  /** The decision, and whether the game has let the player in by it. */
  async join(connectionId: string, id: string, declaredStamp?: string): Promise<boolean> {
    const slot = this.slot(id);
    if (slot.isOnline) return false;
    const declared = declaredStamp === undefined ? {} : { declaredStamp };
    const answer = await this.ask('mayJoin', { connectionId, slot, ...declared });
    const { decision } = resultOf<{ decision: string }>(answer);
    const stampsAgree = slot.stamp === undefined || slot.stamp === declaredStamp;
    if (decision !== 'allow' && (decision !== 'game-decides' || !stampsAgree)) return false;
    slot.isOnline = true;
    if (declaredStamp !== undefined) slot.stamp ??= declaredStamp;
    this.online.set(id, connectionId);
    this.happens({ kind: 'playerJoined', playerId: id, playerName: slot.name, connectionId });
    this.tell();
    return true;
  }

  /** Comes, makes the farmhand its own, and goes again. */
  async moveIn(connectionId: string, id: string, name: string, declaredStamp?: string): Promise<void> {
    const isIn = await this.join(connectionId, id, declaredStamp);
    if (!isIn) throw new Error(`${connectionId} was not let in as ${name}`);
    this.customize(id, name);
    this.leave(id);
  }

  customize(id: string, name: string): void {
    Object.assign(this.slot(id), { name, isCustomized: true });
    this.tell();
  }

  leave(id: string): void {
    const connectionId = this.online.get(id);
    if (connectionId === undefined) return;
    const slot = this.slot(id);
    slot.isOnline = false;
    this.online.delete(id);
    this.happens({ kind: 'playerLeft', playerId: id, playerName: slot.name, connectionId });
    if (!slot.isCustomized && slot.stamp !== undefined) {
      delete slot.stamp;
      this.happens({ kind: 'slotAbandoned', farmhandId: id });
    }
    this.tell();
  }

  remove(id: string): void {
    this.slots = this.slots.filter((slot) => slot.id !== id);
    this.happens({ kind: 'slotDeleted', farmhandId: id, name: '' });
    this.tell();
  }

  override save(): void {
    super.save();
    const slots = structuredClone(this.slots);
    this.saves.push({ generation: this.#generation, slots, journal: [...this.journal] });
    this.tell();
  }

  /** Goes back to the last save, or by more of them, as an operator who puts an old one in place. */
  crash(back = 1): void {
    this.saves.splice(Math.max(1, this.saves.length - back + 1));
    const { generation, slots, journal } = this.saves.at(-1) ?? { generation: 1, slots: [], journal: [] };
    if (this.state.farm !== null) this.state.farm.saveGeneration = generation;
    this.slots = structuredClone(slots);
    this.journal.clear();
    for (const [command, outcome] of journal) this.journal.set(command, outcome);
    for (const slot of this.slots) {
      slot.isOnline = false;
      if (!slot.isCustomized) delete slot.stamp;
    }
    this.online.clear();
  }

  /** Everything that was said is read, and what follows from it done: questions are answered in their turn. */
  async calm(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await this.shows('L_nobody');
  }

  get #generation(): number {
    return this.state.farm?.saveGeneration ?? 0;
  }
}

function resultOf<Result>(answer: Answer): Result {
  if (answer.kind !== 'result') throw new Error(`the control API did not answer: ${answer.message}`);
  return answer.result as Result;
}

export const freshSlot = (id: string): FarmhandSlot => slot(id);

export function farmhand(id: string, name: string, stamp?: string): FarmhandSlot {
  return stamp === undefined ? slot(id, name) : { ...slot(id, name), stamp };
}
