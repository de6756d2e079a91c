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
import { approved, isDoubtful } from './map-changes.ts';
import {
  type Decision,
  decide,
  type Question,
  type Reason,
  reasons,
  type SlotFacts,
  slotStateOf,
} from './matrix.ts';
import type { OwnershipMap } from './ownership-map.ts';
import type { OwnershipRegister } from './ownership-register.ts';
import type { LoadedFarm } from './reported-farm.ts';
import { connectLine, type Visitor, visitorOf } from './visitor.ts';

/** How this API is reached from its own machine, as far as a line in the log can say. */
export interface OwnAddress {
  readonly url: string;
  readonly hasKey: boolean;
}

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
  readonly address: () => OwnAddress;
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
    const open = slots.filter(({ id }) => against(id) === undefined);
    if (!isEnforced()) return { farmhandIds: open.map(({ id }) => id) };
    const opened = await register.exclusively(() => this.#open());
    if (!opened.ok) return { farmhandIds: [] };
    const visible = open.filter(
      (slot) => decisionOn(opened.value, slot, visitor, { asks: 'show' }).decision !== 'refuse',
    );
    return { farmhandIds: visible.map(({ id }) => id) };
  }

  async mayJoin({ connectionId, slot, declaredStamp, address }: MayJoinParams): Promise<MayJoinResult> {
    const { register, isEnforced, counts, clock } = this.#parts;
    const visitor = this.#knocks(connectionId, address);
    const asked = clock.now();
    const against = await this.#objections({ connectionId, address });
    const objected = against(slot.id);
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
    const { register, awaited, clock, address } = this.#parts;
    const refuse = (why: Trouble, remedy?: string) => this.#refuse(connectionId, visitor, slot, why, remedy);
    // The game has given this answer up; approving now would write down somebody who does not come.
    if (clock.now() - asked >= bridgeLimits.questionMs) return refuse({ reason: 'the answer took too long' });
    const opened = await this.#open();
    if (!opened.ok) return refuse(opened);
    const { decision, reason } = decisionOn(opened.value, slot, visitor, { asks: 'join', declaredStamp });
    if (decision === 'refuse') {
      const { remedy, line } = remediesOf(
        reason,
        { ...factsOn(opened.value, slot), id: slot.id },
        visitor,
        address(),
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

  /** Whom the game lets in is written down when they arrive. */
  #leave(connectionId: string, slot: FarmhandSlot): MayJoinResult {
    this.#parts.awaited.approved(slot.id, connectionId);
    return { decision: 'game-decides', reason: notEnforced };
  }

  /** What keeps somebody out beside owners, the first that does. */
  async #objections(knock: Knock): Promise<Against> {
    const all = await Promise.all(this.#parts.objections.map((each) => each.look()));
    const each = all.map((objects) => objects(knock));
    return (farmhandId) => {
      for (const against of each) {
        const objected = against(farmhandId);
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
): Decision {
  return decide(slotStateOf(factsOn(map, slot)), visitor, question);
}

function factsOn(map: OwnershipMap, { id, stamp, isCustomized }: FarmhandSlot): SlotFacts {
  return { record: map.farmhands[id], isDoubtful: isDoubtful(map, id), stamp, isCustomized };
}

/** The farmhand that was refused, and what is known of whose it is. */
interface RefusedSlot extends SlotFacts {
  readonly id: string;
}

interface Remedies {
  /** Names nobody: whoever may read it. */
  readonly remedy?: string;
  /** To be pasted into a shell. */
  readonly line?: string;
}

/**
 * What lets the refused visitor in with this farmhand, and before it whom that takes it from: anybody can have this written by
 * trying to join.
 */
function remediesOf(
  reason: Reason,
  slot: RefusedSlot,
  { identity }: Visitor,
  { url, hasKey }: OwnAddress,
): Remedies {
  const row = reasons[reason];
  if (!('remedy' in row)) return {};
  const key = hasKey ? ' -H "Authorization: Bearer $API_KEY"' : '';
  const { who, id } = loserOf(slot);
  const loser = id === undefined ? who : `${who} (${id})`;
  // Without an identity there is nobody to bind it to: it can only be opened to whoever comes next.
  if (row.remedy === 'release' || typeof identity === 'string') {
    const takes = (from: string) => `This takes it from ${from} and makes it free for the next player`;
    return {
      remedy: `${takes(who)}: POST /farmhands/release with this playerId`,
      line: `${takes(loser)}: curl -X POST "${url}/farmhands/release?playerId=${slot.id}"${key}`,
    };
  }
  const takes = (from: string) =>
    `Only if you are sure that it is the same player, because this takes it from ${from}`;
  return {
    remedy: `${takes(who)}: POST /farmhands/rebind with this playerId and the identity of the refused player`,
    line: `${takes(loser)}: curl -X POST "${url}/farmhands/rebind?playerId=${slot.id}&identity=${identity.id}"${key}`,
  };
}

/** Nearest first, as the matrix looks at it; the id is for the log alone. */
function loserOf({ record, isDoubtful, stamp }: SlotFacts): { readonly who: string; readonly id?: string } {
  if (record !== undefined && record.owner !== 'released')
    return { who: 'its owner', id: `${record.owner} id ${record.id}` };
  if (stamp !== undefined)
    return { who: 'the player whose network id it carries', id: `network id ${stamp}` };
  return { who: isDoubtful ? 'an unknown owner' : 'players who connect by IP' };
}
