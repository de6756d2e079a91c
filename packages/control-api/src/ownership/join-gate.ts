import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type {
  MayJoinParams,
  MayJoinResult,
  VisibleSlotsParams,
  VisibleSlotsResult,
} from '@steward/shared/bridge/methods';
import type { FarmhandSlot } from '@steward/shared/bridge/state';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { type Parsed, refused } from '@steward/shared/parsed';
import { type Trouble, troubleText } from '@steward/shared/problems/trouble';
import type { Against, Knock, Objections } from '../game/questions/objections.ts';
import { bridgeLimits } from '../game/state/limits.ts';
import type { AwaitedArrivals, JoinAttempts, JoinCounts, RefusalNews } from './join-attempts.ts';
import { approved, isDoubtful, isUnstamped } from './map-changes.ts';
import { type Decision, decide, type Question, reasons, type SlotFacts, slotStateOf } from './matrix.ts';
import type { OwnershipMap } from './ownership-map.ts';
import type { OwnershipRegister } from './ownership-register.ts';
import { remediesOf } from './refusal-remedies.ts';
import type { LoadedFarm } from './reported-farm.ts';
import { connectLine, type Visitor, visitorOf } from './visitor.ts';

export interface JoinGateParts {
  readonly register: OwnershipRegister;
  readonly awaited: AwaitedArrivals;
  readonly attempts: JoinAttempts;
  readonly counts: JoinCounts;
  readonly refusals: RefusalNews;
  readonly tell: (event: StewardEvent) => void;
  readonly objections: readonly Objections[];
  readonly clock: Clock;
  readonly log: Log;
  readonly isEnforced: () => boolean;
  /** Whether callers of this API need a key. */
  readonly hasKey: boolean;
  /** The farm that the game has loaded, once all of it is known. */
  readonly farm: () => LoadedFarm | undefined;
}

const notEnforced = 'ownership is not enforced';

/** Answers the game's two questions about farmhands. It refuses or lets pass, and writes down whom it has let pass. */
export class JoinGate {
  readonly #parts: JoinGateParts;

  constructor(parts: JoinGateParts) {
    this.#parts = parts;
  }

  async visibleSlots({ connectionId, slots, address }: VisibleSlotsParams): Promise<VisibleSlotsResult> {
    const { register, isEnforced, counts } = this.#parts;
    const visitor = this.#knocks(connectionId, address);
    const against = await this.#objections({ connectionId, address });
    const objected = against();
    if (objected !== undefined) {
      counts.objected(objected.code);
      this.#tell(connectionId, visitor, undefined, objected);
      return { farmhandIds: [], message: objected.message };
    }
    const open = slots.filter((slot) => against(slot) === undefined);
    if (!isEnforced()) return { farmhandIds: open.map(({ id }) => id) };
    const opened = await register.exclusively(() => this.#open());
    if (!opened.ok) return { farmhandIds: [] };
    const isShown = (slot: FarmhandSlot) =>
      decisionOn(opened.value, slot, visitor, { asks: 'show' }, this.#isPromised(slot)).decision !== 'refuse';
    const visible = open.filter(isShown);
    return { farmhandIds: visible.map(({ id }) => id) };
  }

  async mayJoin({ connectionId, slot, declaredStamp, address }: MayJoinParams): Promise<MayJoinResult> {
    const { register, isEnforced, counts, clock } = this.#parts;
    const visitor = this.#knocks(connectionId, address);
    const asked = clock.now();
    const against = await this.#objections({ connectionId, address });
    const objected = against(slot);
    if (objected !== undefined) {
      counts.decided(visitor.path, 'refuse');
      counts.objected(objected.code);
      return {
        ...this.#refuse(connectionId, visitor, slot, objected, objected.remedy),
        message: objected.message,
      };
    }
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
    const { register, awaited, clock, hasKey } = this.#parts;
    const refuse = (why: Trouble, remedy?: string) => this.#refuse(connectionId, visitor, slot, why, remedy);
    // The game has given this answer up; approving now would write down somebody who does not come.
    if (clock.now() - asked >= bridgeLimits.questionMs) return refuse({ reason: 'the answer took too long' });
    const opened = await this.#open();
    if (!opened.ok) return refuse(opened);
    const question = { asks: 'join', declaredStamp } as const;
    const { decision, reason } = decisionOn(opened.value, slot, visitor, question, this.#isPromised(slot));
    if (decision === 'refuse') {
      const { remedy, line } = remediesOf(
        reason,
        { ...factsOn(opened.value, slot), id: slot.id },
        visitor,
        hasKey,
      );
      return refuse({ reason: reasons[reason].says, remedy: line }, remedy);
    }
    const map = approved(opened.value, slot.id, visitor);
    awaited.approved(slot.id, connectionId);
    if (map !== opened.value) {
      try {
        await register.commit(map);
      } catch {
        awaited.ended(slot.id);
        return refuse(
          { reason: 'the claim cannot be stored; see the error above' },
          register.problems[0]?.remedy,
        );
      }
    }
    return { decision, reason: reasons[reason].says };
  }

  /** Whether somebody by address is on the way to it, or is making it theirs: who has no identity is in no record. */
  #isPromised(slot: FarmhandSlot): boolean {
    // The game may tell of a slot that is taken before it tells by whom; of whoever has an identity there is a record.
    if (slot.isOnline) return true;
    const { awaited, farm } = this.#parts;
    const there = farm()?.players.filter(({ id }) => id === slot.id) ?? [];
    const connections = [awaited.of(slot.id), ...there.map(({ connectionId }) => connectionId)];
    return connections.some((each) => each !== undefined && visitorOf(each).identity === 'nobody');
  }

  /** Whom the game lets in is written down when they arrive. */
  #leave(connectionId: string, slot: FarmhandSlot): MayJoinResult {
    this.#parts.awaited.approved(slot.id, connectionId);
    return { decision: 'game-decides', reason: notEnforced };
  }

  /** What keeps somebody out beside owners, the first that does. */
  async #objections(knock: Knock): Promise<Against> {
    const all = await Promise.all(this.#parts.objections.map((each) => each.look()));
    const each = all.map((objects) => objects(knock));
    return (slot) => {
      for (const against of each) {
        const objected = against(slot);
        if (objected !== undefined) return objected;
      }
      return undefined;
    };
  }

  /** One line for each try to join, however often it asks. */
  #knocks(connectionId: string, address: string | undefined): Visitor {
    const visitor = visitorOf(connectionId);
    if (this.#parts.attempts.begins(connectionId)) this.#parts.log.info({}, connectLine(visitor, address));
    return visitor;
  }

  async #open(): Promise<Parsed<OwnershipMap>> {
    const farm = this.#parts.farm();
    return farm === undefined
      ? refused('the game has not sent its complete state yet')
      : this.#parts.register.open(farm);
  }

  /** The log has the line to paste for whoever runs this; what is told is read by others, too. */
  #refuse(
    connectionId: string,
    visitor: Visitor,
    slot: FarmhandSlot,
    why: Trouble,
    remedy: string | undefined,
  ): MayJoinResult {
    const { id, name } = slot;
    const named = name === '' ? id : `${name} (${id})`;
    const { reason } = why;
    this.#parts.log.info(
      {},
      `Refused farmhand ${named} to a client via ${visitor.path}: ${troubleText(why)}`,
    );
    this.#tell(connectionId, visitor, slot, { reason, ...(remedy === undefined ? {} : { remedy }) });
    return { decision: 'refuse', reason };
  }

  /** Once a try; of somebody to whom no farmhand was shown, there is none to name. */
  #tell(
    connectionId: string,
    { path, identity }: Visitor,
    slot: FarmhandSlot | undefined,
    why: Trouble,
  ): void {
    const { log, refusals, tell } = this.#parts;
    if (!refusals.isNews(connectionId, slot?.id ?? '')) return;
    const { reason, remedy } = why;
    const data = {
      door: path,
      reason,
      ...(remedy === undefined ? {} : { remedy }),
      ...(typeof identity === 'string'
        ? {}
        : { identity: { space: identity.space, id: identity.id.toString() } }),
    };
    if (slot === undefined) {
      log.info({}, `Refused a client via ${path}: ${troubleText(why)}`);
      tell({ type: 'players.turnedAway', data });
      return;
    }
    tell({ type: 'players.refused', data: { playerId: slot.id, playerName: slot.name, ...data } });
  }
}

export function decisionOn(
  map: OwnershipMap,
  slot: FarmhandSlot,
  visitor: Visitor,
  question: Question,
  isPromised = false,
): Decision {
  return decide(slotStateOf({ ...factsOn(map, slot), isPromised }), visitor, question);
}

function factsOn(map: OwnershipMap, { id, stamp, isCustomized }: FarmhandSlot): SlotFacts {
  return {
    record: map.farmhands[id],
    isDoubtful: isDoubtful(map, id),
    stamp: isUnstamped(map, id) ? undefined : stamp,
    isCustomized,
  };
}
