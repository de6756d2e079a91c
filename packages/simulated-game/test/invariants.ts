import { identityOf, parseConnectionId } from '@steward/shared/connection-id';
import { expect } from 'vitest';
import type { Happening } from '../src/events/farm-event.ts';
import type { Farm } from '../src/farm/farm.ts';
import { daysPlayed, isTimeOfDay } from '../src/time/calendar.ts';

/** What must hold between any two things that happen on a farm with stacked cabins. */
export class Invariants {
  readonly #farm: Farm;
  readonly #owners = new Map<string, string>();
  #day: number;
  #time: number;
  #generation: number;
  #checks = 0;

  constructor(farm: Farm) {
    this.#farm = farm;
    this.#day = daysPlayed(farm.world.state);
    this.#time = farm.world.state.timeOfDay;
    this.#generation = farm.world.state.generation;
    farm.events.watch((happening) => this.#told(happening));
  }

  get checks(): number {
    return this.#checks;
  }

  check(): void {
    this.#checks += 1;
    this.#counts();
    this.#cabins();
    this.#sessions();
    this.#clock();
  }

  #counts(): void {
    const { slots, sessions, settings } = this.#farm;
    const phases = { fresh: 0, 'being-customised': 0, customised: 0 };
    for (const slot of slots.all) phases[slots.phase(slot)] += 1;
    if (phases.fresh === 0) expect.fail('no slot is free');
    if (sessions.count > settings.maxPlayers) expect.fail('there are more players than the farm takes');
    let creating = 0;
    for (const session of sessions.all) if (session.creating) creating += 1;
    const beingCustomised = phases['being-customised'];
    if (creating !== beingCustomised)
      expect.fail(`${creating} create, ${beingCustomised} slots are in creation`);
  }

  #cabins(): void {
    const { farmhands, cabins, placedCabins } = this.#farm.world.state;
    const owners = new Set(cabins.map(({ ownerId }) => ownerId));
    const ids = new Set(farmhands.map(({ id }) => id));
    if (owners.size !== cabins.length || ids.size !== farmhands.length) expect.fail('an id stands twice');
    if (owners.size !== ids.size || ![...owners].every((id) => ids.has(id)))
      expect.fail('slots and cabins do not match');
    if (!placedCabins.every((id) => ids.has(id))) expect.fail('a placed cabin has no owner');
  }

  #sessions(): void {
    const { sessions, slots } = this.#farm;
    const { all } = sessions;
    const connections = new Set(all.map(({ connectionId }) => connectionId));
    if (connections.size !== all.length) expect.fail('a connection plays two farmhands');
    // It is looked at thousands of times: with a search for each session that would be most of what the test takes.
    const known = new Map(slots.all.map((slot) => [slot.id, slot]));
    for (const { farmhandId, creating } of all) {
      const slot = known.get(farmhandId);
      if (slot === undefined) expect.fail('somebody plays a farmhand that does not exist');
      else if (slot.customised === creating) expect.fail('a slot and its player disagree on its creation');
    }
  }

  #clock(): void {
    const { world, dayCycle, sessions } = this.#farm;
    const day = daysPlayed(world.state);
    const { timeOfDay } = world.state;
    if (!isTimeOfDay(timeOfDay)) expect.fail(`the time is ${timeOfDay}`);
    if (day !== this.#day && day !== this.#day + 1) expect.fail(`day ${day} after day ${this.#day}`);
    if (day === this.#day && timeOfDay < this.#time) expect.fail(`${timeOfDay} after ${this.#time}`);
    if (dayCycle.isPaused !== (sessions.count === 0) && !dayCycle.isSaving)
      expect.fail('paused at the wrong time');
    this.#day = day;
    this.#time = timeOfDay;
  }

  #told({ event }: Happening): void {
    const { world, dayCycle } = this.#farm;
    if (event.type === 'joined') {
      if (dayCycle.isSaving) expect.fail('somebody joined while the farm was saving');
      this.#ownerOf(event.farmhandId, event.connectionId, event.fresh);
    } else if (event.type === 'crashed') {
      expect(event.backToGeneration).toBe(this.#generation);
      this.#day = daysPlayed(world.state);
      this.#time = world.state.timeOfDay;
      this.#owners.clear();
    } else if (event.type === 'saved') {
      expect(event.generation).toBe(this.#generation + 1);
      this.#generation = event.generation;
    }
  }

  /** A farmhand that somebody came to through one identity is never played through another one. */
  #ownerOf(farmhandId: string, connectionId: string, fresh: boolean): void {
    const connection = parseConnectionId(connectionId);
    if (!connection.ok) expect.fail(`${connectionId} ${connection.reason}`);
    const identity = identityOf(connection.value);
    const owner = identity === undefined ? 'nobody' : `${identity.space} ${identity.id}`;
    if (!fresh && this.#owners.has(farmhandId)) expect(owner).toBe(this.#owners.get(farmhandId));
    this.#owners.set(farmhandId, owner);
  }
}
