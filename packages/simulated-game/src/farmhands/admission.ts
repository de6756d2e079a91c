import type { FarmhandSlot } from '@steward/shared/bridge/state';
import type { EventStream } from '../events/farm-event.ts';
import type { Steward } from '../steward/steward.ts';
import type { DayCycle } from '../world/day-cycle.ts';
import type { Session, Sessions } from '../world/sessions.ts';
import type { World } from '../world/world.ts';
import type { Admins } from './admins.ts';
import type { Reservations } from './reservations.ts';
import { type Slots, slotView } from './slots.ts';

/** The joining player's side of a connection. */
export interface Guest {
  readonly connectionId: string;
  /** The client's own word on who it is, in network-id space; a direct-IP client has none. */
  readonly declaredStamp: string | undefined;
  /** Where a direct-IP client comes from, as the farm's socket has it. */
  readonly address: string | undefined;
  /** The slots to choose from; shown again when a claim was refused, for no reason given. */
  chooseFrom(slots: readonly FarmhandSlot[]): void;
  admitted(session: Session): void;
  /** The connection is closed from the farm's side. */
  turnedAway(reason: string): void;
}

export interface AdmissionParts {
  readonly world: World;
  readonly sessions: Sessions;
  readonly slots: Slots;
  readonly reservations: Reservations;
  readonly dayCycle: DayCycle;
  readonly events: EventStream;
  readonly steward: Steward;
  readonly admins: Admins;
  readonly maxPlayers: () => number;
}

/** How a connection becomes a farmhand: it is shown slots, it claims one, and both are for the steward to allow. */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #guests = new Map<string, Guest>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Connections that have not become farmhands. */
  get waiting(): number {
    return this.#guests.size;
  }

  /** Admission begins now, or in the morning. */
  connect(guest: Guest): void {
    this.#guests.set(guest.connectionId, guest);
    this.#parts.events.emit({ type: 'connected', connectionId: guest.connectionId });
    this.#parts.dayCycle.whenReady(() => this.#showSlots(guest));
  }

  claim(guest: Guest, farmhandId: string): void {
    const { slots, reservations, steward, dayCycle } = this.#parts;
    const slot = slots.find(farmhandId);
    if (!this.#isHere(guest)) return;
    if (slot === undefined || this.#isTaken(farmhandId)) {
      this.#showSlots(guest);
      return;
    }
    if (!reservations.startDeciding(farmhandId, guest.connectionId)) {
      this.#showSlots(guest);
      return;
    }
    const declared = guest.declaredStamp === undefined ? {} : { declaredStamp: guest.declaredStamp };
    const question = {
      connectionId: guest.connectionId,
      slot: this.#view(farmhandId),
      ...declared,
      ...addressOf(guest),
    };
    if (question.slot === undefined) return;
    steward.mayJoin({ ...question, slot: question.slot }, (answer) => {
      if (!this.#isHere(guest)) return;
      // The game's own rule: a slot that nobody has put a stamp on is anybody's.
      const stampsAgree = slot.stamp === undefined || slot.stamp === guest.declaredStamp;
      const allowed =
        answer.ok &&
        (answer.value.decision === 'allow' || (answer.value.decision === 'game-decides' && stampsAgree));
      const message = answer.ok ? answer.value.message : undefined;
      if (allowed) dayCycle.whenReady(() => this.#admit(guest, farmhandId));
      else if (message === undefined) this.#showSlots(guest);
      else this.#turnAway(guest, message);
    });
  }

  /** The player is gone before a farmhand was theirs. */
  giveUp(guest: Guest): void {
    if (!this.#isHere(guest)) return;
    this.#forget(guest);
    this.#parts.events.emit({
      type: 'disconnected',
      connectionId: guest.connectionId,
      reason: 'gave up before joining',
    });
  }

  /** Nobody who waits is told anything: the process is gone. */
  crash(): readonly Guest[] {
    const guests = [...this.#guests.values()];
    this.#guests.clear();
    this.#parts.reservations.clear();
    return guests;
  }

  #showSlots(guest: Guest, isSecondTry = false): void {
    const { sessions, slots, steward, maxPlayers } = this.#parts;
    if (!this.#isHere(guest)) return;
    if (sessions.count >= maxPlayers()) {
      this.#turnAway(guest, 'the farm is full');
      return;
    }
    slots.keepOneFree((id) => this.#isOpenTo(guest, id));
    const candidates = slots.all
      .flatMap(({ id }) => this.#view(id) ?? [])
      .filter(({ isOnline }) => !isOnline);
    const question = { connectionId: guest.connectionId, slots: candidates, ...addressOf(guest) };
    steward.visibleSlots(question, (answer) => {
      if (!this.#isHere(guest)) return;
      const visible = answer.ok ? answer.value.farmhandIds : [];
      // For somebody who is kept out, no slot is built.
      if (answer.ok && answer.value.message !== undefined && visible.length === 0)
        return this.#turnAway(guest, answer.value.message);
      const offer = offerOf(candidates, visible, (id) => this.#isOpenTo(guest, id));
      // Fresh slots may be kept for somebody else; whoever is new here needs one of their own.
      const lacksFresh = answer.ok && offer.every(({ isCustomized }) => isCustomized);
      if (lacksFresh && !isSecondTry && slots.build(1)) {
        this.#showSlots(guest, true);
        return;
      }
      if (offer.length === 0) return this.#turnAway(guest, 'there is no slot for this player');
      for (const { id, isCustomized } of offer) {
        if (!isCustomized) this.#parts.reservations.offer(id, guest.connectionId);
      }
      guest.chooseFrom(offer);
    });
  }

  #admit(guest: Guest, farmhandId: string): void {
    const { sessions, slots, events, dayCycle, maxPlayers } = this.#parts;
    if (!this.#isHere(guest)) return;
    const slot = slots.find(farmhandId);
    if (slot === undefined || this.#isTaken(farmhandId)) {
      this.#showSlots(guest);
      return;
    }
    if (sessions.count >= maxPlayers()) {
      this.#turnAway(guest, 'the farm is full');
      return;
    }
    this.#forget(guest);
    const fresh = !slot.customised;
    if (guest.declaredStamp !== undefined && slot.stamp === undefined) slot.stamp = guest.declaredStamp;
    const session = sessions.open(farmhandId, guest.connectionId, fresh);
    slots.keepOneFree();
    events.emit({ type: 'joined', farmhandId, connectionId: guest.connectionId, fresh });
    this.#parts.admins.joined(session);
    guest.admitted(session);
    dayCycle.playersChanged();
  }

  #turnAway(guest: Guest, reason: string): void {
    this.#forget(guest);
    this.#parts.events.emit({ type: 'refused', connectionId: guest.connectionId, reason });
    guest.turnedAway(reason);
  }

  #forget(guest: Guest): void {
    this.#guests.delete(guest.connectionId);
    this.#parts.reservations.release(guest.connectionId);
  }

  #isHere(guest: Guest): boolean {
    return this.#guests.get(guest.connectionId) === guest;
  }

  #isTaken(farmhandId: string): boolean {
    return this.#parts.sessions.of(farmhandId) !== undefined;
  }

  #isOpenTo(guest: Guest, farmhandId: string): boolean {
    return !this.#isTaken(farmhandId) && this.#parts.reservations.isFreeFor(farmhandId, guest.connectionId);
  }

  #view(farmhandId: string): FarmhandSlot | undefined {
    const { slots, world, sessions } = this.#parts;
    const slot = slots.find(farmhandId);
    return slot === undefined ? undefined : slotView(slot, world.state, sessions);
  }
}

function addressOf({ address }: Guest): { readonly address?: string } {
  return address === undefined ? {} : { address };
}

/** What a joining player is shown of the slots they may see: every farmhand with a name, and exactly one fresh slot. */
function offerOf(
  candidates: readonly FarmhandSlot[],
  visible: readonly string[],
  isOpen: (farmhandId: string) => boolean,
): readonly FarmhandSlot[] {
  const allowed = new Set(visible);
  const open = candidates.filter(({ id }) => allowed.has(id) && isOpen(id));
  const fresh = open.find(({ isCustomized }) => !isCustomized);
  return open.filter((slot) => slot.isCustomized || slot === fresh);
}
