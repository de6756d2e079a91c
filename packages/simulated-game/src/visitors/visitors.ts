import { inviteCode } from '@steward/shared/invite-code';
import type { Farm } from '../farm/farm.ts';
import { type ClientKind, clientKinds, type Door } from '../players/clients.ts';
import type { Player } from '../players/player.ts';
import type { Random } from '../time/random.ts';

const visitorNames = [
  'Abigail',
  'Sam',
  'Shane',
  'Leah',
  'Maru',
  'Elliott',
  'Penny',
  'Harvey',
  'Emily',
  'Alex',
  'Haley',
  'Sebastian',
  'Pam',
  'Linus',
  'Marnie',
  'Clint',
  'Evelyn',
  'Willy',
  'Jodi',
  'Gus',
] as const;

const greetings = ['Good morning, everyone', 'Hello!', 'Hi all, what shall we do today?'] as const;

const farewells = ['I have to go, see you', 'Good night!', 'Bye, it was fun'] as const;

const smallTalk = [
  'Does anyone have a spare parsnip?',
  'I am off to the mines',
  'The fish are biting today',
  'Can somebody water the strawberries?',
  'Rain tomorrow, says the television',
  'The bus is still broken',
  '!info',
  'Who took the copper bars?',
  'Look at this cow',
] as const;

// All in milliseconds of the farm's time, from and to.
const away = [20_000, 180_000] as const;
const stay = [180_000, 600_000] as const;
const betweenWords = [15_000, 60_000] as const;
const first = [1_000, 20_000] as const;
const bedTime = 2200;
// A visitor whom nothing brings in by then goes home and tries again later.
const patience = 120_000;

export interface Regular {
  readonly name: string;
  readonly kind: ClientKind;
}

/** The first few of the villagers, with all kinds of clients among them. */
export function villagers(count: number): readonly Regular[] {
  return visitorNames.slice(0, count).map((name, index) => {
    const kind = clientKinds[index % clientKinds.length] ?? clientKinds[0];
    return { name, kind };
  });
}

/** These people come, talk, go to bed and go, from now on and without anybody telling them to. */
export function invite(people: readonly Regular[], farm: Farm): void {
  for (const { name, kind } of people) new Visitor(farm, farm.players.called(name, kind), kind).begin();
}

class Visitor {
  readonly #farm: Farm;
  readonly #player: Player;
  readonly #kind: ClientKind;
  readonly #random: Random;
  #leavesAt = 0;

  constructor(farm: Farm, player: Player, kind: ClientKind) {
    this.#farm = farm;
    this.#player = player;
    this.#kind = kind;
    this.#random = farm.world.random.fork(`visitor ${player.name}`);
  }

  begin(): void {
    this.#after(first, () => this.#come());
  }

  #come(): void {
    const door = this.#door();
    if (door === undefined) {
      this.#after(first, () => this.#come());
      return;
    }
    // Somebody may have had them come with another client meanwhile.
    this.#farm.players.called(this.#player.name, this.#kind).join(door);
    const until = this.#farm.schedule.now + patience;
    this.#leavesAt = this.#farm.schedule.now + this.#random.integer(...stay);
    this.#after(betweenWords, () => this.#settleIn(until));
  }

  #settleIn(until: number): void {
    const { whereabouts } = this.#player;
    if (whereabouts === 'playing') {
      this.#player.say(this.#random.pick(greetings));
      this.#after(betweenWords, () => this.#live());
    } else if (whereabouts === 'away' || this.#farm.schedule.now > until) {
      this.#goHome();
    } else {
      this.#after(first, () => this.#settleIn(until));
    }
  }

  #live(): void {
    if (this.#player.whereabouts !== 'playing') {
      this.#goHome();
    } else if (this.#farm.schedule.now >= this.#leavesAt) {
      this.#player.say(this.#random.pick(farewells));
      this.#goHome();
    } else {
      if (this.#farm.world.state.timeOfDay >= bedTime) this.#player.sleep();
      else this.#player.say(this.#random.pick(smallTalk));
      this.#after(betweenWords, () => this.#live());
    }
  }

  #goHome(): void {
    this.#player.leave();
    this.#after(away, () => this.#come());
  }

  /** Whatever is open to this visitor at the moment. */
  #door(): Door | undefined {
    const { lobby } = this.#farm.hosting;
    if (this.#kind === 'direct-ip') return this.#farm.directIp.open ? { through: 'direct-ip' } : undefined;
    if (lobby === undefined) return undefined;
    // A person comes through one door always: through another one, their farmhand would not be theirs.
    return { through: 'code', code: inviteCode(this.#kind === 'stock' ? 'S' : 'G', lobby.rawId) };
  }

  #after([least, most]: readonly [number, number], action: () => void): void {
    this.#farm.schedule.after(this.#random.integer(least, most), action);
  }
}
