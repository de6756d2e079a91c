import type {
  MayJoinParams,
  MayJoinResult,
  VisibleSlotsParams,
  VisibleSlotsResult,
} from '@steward/shared/bridge/questions';
import type { FarmhandSlot } from '@steward/shared/bridge/state/people';
import { type Parsed, refused } from '@steward/shared/parsed';
import { bridgeLimits } from '../game/state/limits.ts';
import { approved, isDoubtful } from './map-changes.ts';
import { type Decision, decide, type Question, reasons, type SlotFacts, slotStateOf } from './matrix.ts';
import type { OwnershipMap } from './ownership-map.ts';
import type { OwnershipParts } from './ownership-parts.ts';
import { remedyLine } from './remedy-line.ts';
import { connectLine, type Visitor, visitorOf } from './visitor.ts';

const notEnforced = 'ownership is not enforced';

/** Answers the game's two questions about farmhands. It refuses or lets pass, and writes down whom it has let pass. */
export class JoinGate {
  readonly #parts: OwnershipParts;

  constructor(parts: OwnershipParts) {
    this.#parts = parts;
  }

  async visibleSlots({ connectionId, slots }: VisibleSlotsParams): Promise<VisibleSlotsResult> {
    const { register, isEnforced } = this.#parts;
    const visitor = this.#knocks(connectionId);
    if (!isEnforced()) return { farmhandIds: slots.map(({ id }) => id) };
    const opened = await register.exclusively(() => this.#open());
    if (!opened.ok) return { farmhandIds: [] };
    const visible = slots.filter(
      (slot) => decisionOn(opened.value, slot, visitor, { asks: 'show' }).decision !== 'refuse',
    );
    return { farmhandIds: visible.map(({ id }) => id) };
  }

  async mayJoin({ connectionId, slot, declaredStamp }: MayJoinParams): Promise<MayJoinResult> {
    const { register, isEnforced, counts, clock } = this.#parts;
    const visitor = this.#knocks(connectionId);
    const asked = clock.now();
    const result = isEnforced()
      ? await register.exclusively(() => this.#decide(connectionId, visitor, slot, declaredStamp, asked))
      : this.#leave(connectionId, slot);
    counts.decided(visitor.path, result.decision);
    return result;
  }

  async #decide(
    connectionId: string,
    visitor: Visitor,
    slot: FarmhandSlot,
    declaredStamp: string | undefined,
    asked: number,
  ): Promise<MayJoinResult> {
    const { register, awaited, clock, address } = this.#parts;
    // The game has given this answer up; approving now would write down somebody who does not come.
    if (clock.now() - asked >= bridgeLimits.questionMs)
      return this.#refuse(visitor, slot, 'the answer took too long');
    const opened = await this.#open();
    if (!opened.ok) return this.#refuse(visitor, slot, opened.reason);
    const { decision, reason } = decisionOn(opened.value, slot, visitor, { asks: 'join', declaredStamp });
    if (decision === 'refuse') {
      const remedy = remedyLine(reason, { ...factsOn(opened.value, slot), id: slot.id }, visitor, address());
      return this.#refuse(visitor, slot, reasons[reason].says, remedy);
    }
    const map = approved(opened.value, slot.id, visitor);
    awaited.approved(slot.id, connectionId);
    if (map !== opened.value) {
      try {
        await register.commit(map);
      } catch {
        awaited.ended(slot.id);
        return this.#refuse(visitor, slot, 'the claim cannot be written down; see the error above');
      }
    }
    return { decision, reason: reasons[reason].says };
  }

  /** Whom the game lets in is written down when they arrive. */
  #leave(connectionId: string, slot: FarmhandSlot): MayJoinResult {
    this.#parts.awaited.approved(slot.id, connectionId);
    return { decision: 'game-decides', reason: notEnforced };
  }

  /** One line for each try to join, however often it asks. */
  #knocks(connectionId: string): Visitor {
    const visitor = visitorOf(connectionId);
    if (this.#parts.attempts.begins(connectionId)) this.#parts.log.info({}, connectLine(visitor));
    return visitor;
  }

  async #open(): Promise<Parsed<OwnershipMap>> {
    const farm = this.#parts.farm();
    return farm === undefined
      ? refused('the game has not told its whole state yet')
      : this.#parts.register.open(farm);
  }

  #refuse(visitor: Visitor, slot: FarmhandSlot, says: string, remedy?: string): MayJoinResult {
    const { log } = this.#parts;
    const name = slot.name === '' ? slot.id : `${slot.name} (${slot.id})`;
    const mend = remedy === undefined ? '' : `. ${remedy}`;
    log.info({}, `Refused farmhand ${name} to a client via ${visitor.path}: ${says}${mend}`);
    return { decision: 'refuse', reason: says };
  }
}

export function decisionOn(
  map: OwnershipMap,
  slot: FarmhandSlot,
  visitor: Visitor,
  question: Question,
): Decision {
  return decide(slotStateOf(factsOn(map, slot)), visitor, question);
}

function factsOn(map: OwnershipMap, { id, stamp, isCustomized }: FarmhandSlot): SlotFacts {
  return { record: map.farmhands[id], isDoubtful: isDoubtful(map, id), stamp, isCustomized };
}
