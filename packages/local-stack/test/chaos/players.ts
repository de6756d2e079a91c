import { networkIdOf } from '@steward/simulated-game/networks/cross-platform-network';
import { accountOf } from '@steward/simulated-game/players/clients';
import type { ChaosWorld } from './chaos-world.ts';
import type { Dice } from './dice.ts';
import { type Door, doors, wordsOf } from './doors.ts';
import { type Attempt, join } from './join.ts';
import type { Observer } from './observer.ts';
import { paste, remedyFor } from './operator.ts';
import { byAddress, type Owner } from './owners-model.ts';
import type { Codes } from './way-truth.ts';

interface Player {
  readonly name: string;
  door: Door;
}

/** For each door this many who come that way again and again. */
const playersADoor = 3;

/** As whom the server knows the player who comes through this door. */
export function identityOf({ name, door }: Player): Owner {
  const { platformId } = accountOf(name);
  if (door.prefix === 'L_') return byAddress;
  return door.prefix === 'SN_' ? `platform ${platformId}` : `network ${networkIdOf(platformId)}`;
}

/** People who come and go while things go wrong, strangers who want what is not theirs, and one operator. */
export class Players {
  /** Who got in, by door. */
  readonly joins = new Map<string, number>();
  /** Who did not get in while something was wrong, and who should not have. */
  readonly refused = { inTheStorm: 0, strangers: 0 };
  rebinds = 0;
  readonly #world: ChaosWorld;
  readonly #observer: Observer;
  readonly #dice: Dice;
  readonly #players: readonly Player[];
  #strangers = 0;

  constructor(world: ChaosWorld, observer: Observer, dice: Dice) {
    this.#world = world;
    this.#observer = observer;
    this.#dice = dice;
    this.#players = doors.flatMap((door, index) =>
      Array.from({ length: playersADoor }, (_, each) => ({ name: `Player${index}${each}`, door })),
    );
  }

  get joined(): number {
    return [...this.joins.values()].reduce((sum, each) => sum + each, 0);
  }

  /** Some try while things go wrong: whether they get in is chance, with which farmhand is not. */
  async tryInTheStorm(codes: Codes, count: number): Promise<void> {
    const some = this.#dice.shuffled(this.#players).slice(0, count);
    const attempts = await Promise.all(some.map((player) => this.#join(player, codes)));
    this.refused.inTheStorm += attempts.filter(({ arrival }) => arrival === undefined).length;
  }

  /** Nothing is wrong: one by each door gets in, with their own farmhand where they have one, or makes one. */
  async comeInPeace(codes: Codes): Promise<void> {
    const { owners } = this.#observer.eye;
    const each = Math.floor(this.#dice.upTo(playersADoor));
    const some = this.#players.filter(({ name }) => name.endsWith(String(each)));
    await Promise.all(
      some.map(async (player) => {
        const identity = identityOf(player);
        const own = identity === byAddress ? [] : owners.of(identity);
        const { arrival, said } = await this.#join(player, codes);
        if (arrival === undefined) throw new Error(`${player.door.name} does not work: ${said}`);
        if (own.length > 0 && !own.includes(arrival.farmhandId))
          throw new Error(`${player.name} has ${own.join(' and ')}, and was given ${arrival.farmhandId}`);
        await this.#observer.made(arrival.farmhandId);
      }),
    );
  }

  /** Somebody wants a farmhand that is another's. */
  async intrude(codes: Codes): Promise<void> {
    const { owners } = this.#observer.eye;
    const door = this.#dice.pick(doors);
    const others = owners.all.filter(({ owner }) => owner !== byAddress || door.prefix !== 'L_');
    if (others.length === 0) return;
    this.#strangers += 1;
    const stranger = { name: `Stranger${this.#strangers}`, door };
    const { arrival } = await this.#join(stranger, codes, this.#dice.pick(others).id);
    if (arrival === undefined) this.refused.strangers += 1;
  }

  /** Somebody comes by code who came by the friends list, is a stranger, and the operator does what the log says. */
  async changeDoors(codes: Codes): Promise<void> {
    const { owners } = this.#observer.eye;
    const [, , byGCode] = doors;
    const player = this.#players.find(
      (each) => each.door.prefix === 'SN_' && owners.of(identityOf(each)).length > 0,
    );
    const [own] = player === undefined ? [] : owners.of(identityOf(player));
    if (player === undefined || own === undefined) return;
    player.door = byGCode;
    const identity = identityOf(player);
    const { arrival } = await this.#join(player, codes, own);
    if (arrival !== undefined) throw new Error(`${player.name} changed doors, and was let in with ${own}`);
    const line = await remedyFor(this.#world, own, identity.replace('network ', ''));
    owners.undecided(own);
    await paste(this.#world, line);
    owners.bound(own, identity);
    const again = await this.#join(player, codes, own);
    if (again.arrival === undefined)
      throw new Error(`${player.name} was rebound, and is kept out: ${again.said}`);
    this.rebinds += 1;
  }

  async leaveAll(): Promise<void> {
    await Promise.all(this.#players.map(({ name }) => this.#world.orders.order('leave', name)));
  }

  async #join(player: Player, codes: Codes, farmhandId?: string): Promise<Attempt> {
    await this.#observer.eye.open();
    const attempt = await join(this.#world.orders, player.name, wordsOf(player.door, codes), farmhandId);
    if (attempt.arrival === undefined) return attempt;
    this.joins.set(player.door.name, (this.joins.get(player.door.name) ?? 0) + 1);
    return attempt;
  }
}
