import type { FarmhandSlot } from '@steward/shared/bridge/state';
import type { Chat } from '../chat/chat.ts';
import type { EventStream } from '../events/farm-event.ts';
import type { Admission, Guest } from '../farmhands/admission.ts';
import type { Presence } from '../farmhands/presence.ts';
import type { Faults } from '../faults/faults.ts';
import type { Random } from '../time/random.ts';
import type { Schedule } from '../time/schedule.ts';
import type { Account, Client, Door, Wires } from './clients.ts';
import { Pace } from './pace.ts';

// Slots that are shown again and again mean that this player's claims are refused; people give up, too.
const mostOffers = 3;
const duplicateName = 'Robin';

export interface PlayerParts {
  readonly account: Account;
  readonly client: Client;
  readonly random: Random;
  readonly schedule: Schedule;
  readonly events: EventStream;
  readonly faults: Faults;
  readonly admission: Admission;
  readonly presence: Presence;
  readonly chat: Chat;
  readonly wires: Wires;
}

/** What a player does otherwise than most. */
export interface JoinOptions {
  /** Thinks better of it in the middle of creating a character. */
  readonly quitInCreation?: boolean;
  /** Claims this farmhand and no other, offered or not. */
  readonly farmhandId?: string;
  /** What a client that has been tampered with says it is. */
  readonly declaredStamp?: string;
  /** Comes by address from here, as everybody behind one router does. */
  readonly address?: string;
}

export type Whereabouts = 'away' | 'joining' | 'creating' | 'playing';

/** A person with a game client, who does on the farm what people do. */
export class Player {
  readonly #parts: PlayerParts;
  readonly #pace: Pace;
  #client: Client;
  #whereabouts: Whereabouts = 'away';
  #guest: Guest | undefined;
  #offers = 0;
  #options: JoinOptions = {};
  #farmhandId: string | undefined;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    this.#client = parts.client;
    this.#pace = new Pace(parts.random, parts.schedule, parts.faults);
  }

  get name(): string {
    return this.#parts.account.name;
  }

  get account(): Account {
    return this.#parts.account;
  }

  get clientKind(): string {
    return this.#client.kind;
  }

  get whereabouts(): Whereabouts {
    return this.#whereabouts;
  }

  get connectionId(): string | undefined {
    return this.#guest?.connectionId;
  }

  /** The farmhand that this person played last; it may be gone since. */
  get farmhandId(): string | undefined {
    return this.#farmhandId;
  }

  /** Another machine, for whoever does not sit at one. */
  takeClient(client: Client): void {
    if (this.#whereabouts === 'away') this.#client = client;
  }

  join(door: Door, options: JoinOptions = {}): void {
    if (this.#whereabouts !== 'away') return;
    const line = this.#client.dial(this.account, door, this.#parts.wires);
    if (!line.ok) {
      this.#parts.events.emit({ type: 'dial-failed', player: this.name, reason: line.reason });
      return;
    }
    this.#whereabouts = 'joining';
    this.#offers = 0;
    this.#options = options;
    const guest: Guest = {
      connectionId: line.value.connectionId,
      declaredStamp: options.declaredStamp ?? line.value.declaredStamp,
      address: line.value.address && (options.address ?? line.value.address),
      chooseFrom: (slots) => this.#choose(guest, slots),
      admitted: ({ farmhandId, creating }) => this.#arrive(farmhandId, creating),
      turnedAway: () => this.#goHome(),
    };
    this.#guest = guest;
    this.#parts.admission.connect(guest);
  }

  say(message: string, privately = false): void {
    if (this.#whereabouts === 'playing' && this.#farmhandId !== undefined) {
      this.#parts.chat.say(this.#farmhandId, message, privately);
    }
  }

  sleep(): void {
    if (this.#whereabouts === 'playing' && this.#farmhandId !== undefined) {
      this.#parts.presence.sleep(this.#farmhandId);
    }
  }

  leave(): void {
    const guest = this.#guest;
    const wasOnFarm = this.#whereabouts === 'creating' || this.#whereabouts === 'playing';
    if (wasOnFarm && this.#farmhandId !== undefined) this.#parts.presence.leave(this.#farmhandId);
    else if (guest !== undefined) this.#parts.admission.giveUp(guest);
    this.#goHome();
  }

  /** The farm is gone from under this player's feet. */
  connectionLost(): void {
    this.#goHome();
  }

  #choose(guest: Guest, slots: readonly FarmhandSlot[]): void {
    this.#offers += 1;
    const choice = this.#choice(slots);
    if (choice === undefined) {
      this.leave();
      return;
    }
    this.#pace.choosing(() => this.#parts.admission.claim(guest, choice));
  }

  #choice(slots: readonly FarmhandSlot[]): string | undefined {
    const { farmhandId } = this.#options;
    if (farmhandId !== undefined) return this.#offers === 1 ? farmhandId : undefined;
    if (this.#offers > mostOffers) return undefined;
    return (this.#own(slots) ?? slots.find(({ isCustomized }) => !isCustomized))?.id;
  }

  /** People know their farmhand when they see it; on a new machine they still know its name. */
  #own(slots: readonly FarmhandSlot[]): FarmhandSlot | undefined {
    const customised = slots.filter(({ isCustomized }) => isCustomized);
    return (
      customised.find(({ id }) => id === this.#farmhandId) ??
      customised.find(({ name }) => name === this.name)
    );
  }

  #arrive(farmhandId: string, creating: boolean): void {
    this.#farmhandId = farmhandId;
    this.#whereabouts = creating ? 'creating' : 'playing';
    if (!creating) {
      this.#pace.nameSync(() => this.#parts.presence.characterArrives(farmhandId, ''));
      return;
    }
    if (this.#options.quitInCreation === true) {
      this.#pace.creation(() => this.leave());
      return;
    }
    this.#pace.creation(() => {
      const name = this.#parts.faults.isOn('duplicate-names') ? duplicateName : this.name;
      this.#pace.characterData(() => {
        this.#whereabouts = 'playing';
        this.#parts.presence.characterArrives(farmhandId, name);
      });
    });
  }

  #goHome(): void {
    this.#pace.stop();
    this.#whereabouts = 'away';
    this.#guest = undefined;
  }
}
