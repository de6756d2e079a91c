import type { ListRow } from '@steward/shared/api/answers/moderation';
import { playerTextCharacters } from '@steward/shared/bridge/ranges';
import { cut } from '@steward/shared/chat/line';
import { identityOf, parseConnectionId } from '@steward/shared/connection-id';
import type { Against, AskedSlot, Knock, Objected } from '../game/questions/objections.ts';
import { type Address, networkWith, printNetwork, readAddress, readNetwork } from '../ip-networks.ts';
import { isOver, type Lists } from './lists.ts';

/** Whose a farmhand is by the ownership map, in digits; undefined where it is nobody's, or nobody can tell. */
type OwnerOf = (farmhandId: string) => string | undefined;

export interface Owners {
  readonly ownerOf: OwnerOf;
  /** Whether a farmhand without an owner is known to have none. */
  readonly knowsOwner: (farmhandId: string) => boolean;
}

/** Who knocks. `nobody`: over direct IP there is no identity. `unreadable`: there may be one, and nobody can tell whose. */
interface Known {
  readonly identity: string | undefined;
  readonly isUnreadable: boolean;
  readonly address: Address | undefined;
}

/** One list, by what it is asked for. */
class Index {
  readonly #byIdentity = new Map<string, ListRow[]>();
  readonly #byPlayer = new Map<string, ListRow[]>();
  /** By the one way to write each: who comes by an address is looked up for each number of bits, not for each row. */
  readonly #byNetwork = new Map<string, ListRow[]>();
  readonly #bits = new Set<number>();
  readonly #rows: readonly ListRow[];
  /** Of players who are also known by whatever the ownership map says now. */
  readonly #byOwner: ListRow[] = [];

  /** `followsOwners`: a player whose farmhand was given to another of their identities is still meant. */
  constructor(rows: readonly ListRow[], { followsOwners }: { readonly followsOwners: boolean }) {
    this.#rows = rows;
    for (const row of rows) {
      const { identity, identities, playerId, address } = row;
      for (const id of identity === undefined ? (identities ?? []) : [identity])
        put(this.#byIdentity, id, row);
      if (playerId !== undefined) put(this.#byPlayer, playerId, row);
      // Nobody has written down by which identities they were known.
      const isByOwner = followsOwners || identities === undefined;
      if (playerId !== undefined && isByOwner) this.#byOwner.push(row);
      const network = address === undefined ? undefined : readNetwork(address);
      if (network === undefined) continue;
      put(this.#byNetwork, printNetwork(network), row);
      this.#bits.add(network[1]);
    }
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** The row that is about this visitor, whatever they would take. */
  ofVisitor({ identity, address }: Known, ownerOf: OwnerOf, now: number): ListRow | undefined {
    const rows = [
      ...(identity === undefined ? [] : (this.#byIdentity.get(identity) ?? [])),
      ...(identity === undefined
        ? []
        : this.#byOwner.filter(({ playerId = '' }) => ownerOf(playerId) === identity)),
      ...(address === undefined ? [] : [...this.#bits].flatMap((bits) => this.#ofNetwork(address, bits))),
    ];
    return rows.find((row) => !isOver(row, now));
  }

  #ofNetwork(address: Address, bits: number): readonly ListRow[] {
    const network = networkWith(address, bits);
    return (network && this.#byNetwork.get(printNetwork(network))) ?? [];
  }

  ofFarmhand(farmhandId: string, now: number): ListRow | undefined {
    return this.#byPlayer.get(farmhandId)?.find((row) => !isOver(row, now));
  }

  /** Whether anybody may take it who has no identity: a player who is known by one comes with that. Without a farmhand: any. */
  isForAnybody(farmhandId: string | undefined, ownerOf: OwnerOf, now: number): boolean {
    const rows =
      farmhandId === undefined ? [...this.#byPlayer.values()].flat() : this.#byPlayer.get(farmhandId);
    return (rows ?? []).some((row) => {
      const { identities, playerId = '' } = row;
      const isKnown = identities === undefined ? ownerOf(playerId) !== undefined : identities.length > 0;
      return !isKnown && !isOver(row, now);
    });
  }

  /** Whether any row could be about somebody who has an identity. */
  namesAnybody(now: number): boolean {
    return this.#rows.some(({ address, ...row }) => address === undefined && !isOver(row, now));
  }
}

/** Who may come in by both lists: the whole rule is on this page. */
export class Verdict {
  readonly #bans: Index;
  readonly #allowed: Index;

  constructor({ bans, allowlist }: Pick<Lists, 'bans' | 'allowlist'>) {
    // A banned player’s farmhand may be somebody else’s by now; one who is let in may come by another door.
    this.#bans = new Index(bans, { followsOwners: false });
    this.#allowed = new Index(allowlist, { followsOwners: true });
  }

  /** What there is against a visitor: looked up once, however many farmhands it is asked about. */
  on(knock: Knock, ownerOf: OwnerOf, now: number): Against {
    const known = knownOf(knock);
    // At the door, a farmhand whose owner nobody can tell is nobody’s.
    const ban = this.#ban(known, { ownerOf, knowsOwner: () => true }, now);
    const notAllowed = this.#notAllowed(known, ownerOf, now);
    return (slot) => ban(slot) ?? notAllowed(slot);
  }

  /**
   * Of who is on the farm already this alone counts: the list of those who come in is for the door. A farmhand whose owner nobody can
   * tell may be theirs: after a restart, the game shows who is there before the ownership map is read.
   */
  ban(knock: Knock, owners: Owners, now: number): Against {
    return this.#ban(knownOf(knock), owners, now);
  }

  /** Of a farmhand, whoever comes for it. */
  banOfFarmhand(farmhandId: string, now: number): ListRow | undefined {
    return this.#bans.ofFarmhand(farmhandId, now);
  }

  #ban(known: Known, owners: Owners, now: number): Against {
    const row = this.#bans.ofVisitor(known, owners.ownerOf, now);
    const unknown = known.isUnreadable && this.#bans.namesAnybody(now) ? nobodyKnown : undefined;
    return (slot) => {
      if (row !== undefined) return banned(row);
      const theirs = this.#ofTheirFarmhand(known, slot, owners, now);
      return theirs === undefined ? unknown : ofBanned(theirs);
    };
  }

  /** A banned player's farmhand is for nobody, but for who owns it since, and is not banned. An empty slot is nobody’s farmhand. */
  #ofTheirFarmhand(
    { identity }: Known,
    slot: AskedSlot | undefined,
    { ownerOf, knowsOwner }: Owners,
    now: number,
  ): ListRow | undefined {
    if (slot?.isCustomized !== true) return undefined;
    const owner = ownerOf(slot.id) ?? (knowsOwner(slot.id) ? undefined : identity);
    const isTheirs = identity !== undefined && owner === identity;
    return isTheirs ? undefined : this.#bans.ofFarmhand(slot.id, now);
  }

  #notAllowed(known: Known, ownerOf: OwnerOf, now: number): Against {
    const allowed = this.#allowed;
    if (allowed.isEmpty || allowed.ofVisitor(known, ownerOf, now) !== undefined) return () => undefined;
    if (known.identity !== undefined || known.isUnreadable) return () => notAllowed;
    return (slot) => (allowed.isForAnybody(slot?.id, ownerOf, now) ? undefined : notAllowed);
  }
}

export function banned({ id, reason, until }: ListRow): Objected {
  const end = until === undefined ? '' : ` until ${until.slice(0, 16).replace('T', ' ')} UTC`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return {
    code: 'banned',
    reason: `they are banned (${id})`,
    remedy: `DELETE /bans with id=${id} lifts the ban`,
    message: cut(`You are banned from this farm${end}${why}`, playerTextCharacters).text,
  };
}

/** Who wants it is not banned. */
function ofBanned({ id }: ListRow): Objected {
  return {
    code: 'banned',
    reason: `it is the farmhand of a banned player (${id})`,
    remedy: `POST /farmhands/rebind with this playerId gives it to somebody else; DELETE /bans with id=${id} lifts the ban`,
    message: 'This farmhand belongs to a banned player: choose another one',
  };
}

const notAllowed: Objected = {
  code: 'not-allowed',
  reason: 'they are not on the allowlist',
  remedy: 'POST /allowlist with the identity, the address or the player adds them',
  message: 'Only players on this farm’s list can join: ask the person who runs it',
};

const nobodyKnown: Objected = {
  code: 'nobody-known',
  reason: 'the connection id cannot be read, so it is unknown whether they are banned',
  message: 'The server cannot identify you: join in another way',
};

export const unreadableLists: Objected = {
  code: 'unreadable',
  reason: 'the file of bans cannot be read, so it is unknown who is banned',
  remedy: 'Fix the file; /status says what is wrong with it',
  message: 'Nobody can join now, because the server’s list of bans is damaged: tell the person who runs it',
};

function knownOf({ connectionId, address }: Knock): Known {
  const parsed = parseConnectionId(connectionId);
  const identity = parsed.ok ? identityOf(parsed.value)?.id.toString() : undefined;
  return {
    identity,
    isUnreadable: !parsed.ok,
    address: address === undefined ? undefined : readAddress(address),
  };
}

function put(rows: Map<string, ListRow[]>, key: string, row: ListRow): void {
  const all = rows.get(key);
  if (all === undefined) rows.set(key, [row]);
  else all.push(row);
}
