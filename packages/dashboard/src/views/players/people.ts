import type { Event, Farmhands, Players } from '@steward/client';

type Farmhand = Farmhands['farmhands'][number];

/** Somebody on the farm, or somebody's place on it, from all that the key lets one know. */
export interface Person extends Partial<Omit<Farmhand, 'id' | 'idStr' | 'door'>> {
  readonly id: string;
  readonly name: string;
  readonly isOnline: boolean;
  /** Whose id the owner is known by. */
  readonly ownedBy?: Farmhand['door'] | undefined;
  /** By which way, and since when, where that is still known. */
  readonly door?: string | undefined;
  readonly since?: string | undefined;
  readonly left?: string | undefined;
}

/** Who is here first, then by name; free slots last. */
export function peopleOf(
  players: Players | undefined,
  farmhands: Farmhands | undefined,
  events: readonly Event[],
): readonly Person[] {
  const people = new Map<string, Person>();
  for (const { id: _, idStr: id, door: ownedBy, ...facts } of farmhands?.farmhands ?? [])
    people.set(id, { ...facts, id, ownedBy });
  for (const { id: _, idStr: id, ...facts } of players?.players ?? []) {
    const known = people.get(id);
    people.set(id, { ...known, ...facts, id, name: facts.name || (known?.name ?? '') });
  }
  for (const event of events) {
    if (event.type !== 'players.joined' && event.type !== 'players.left') continue;
    const id = String(event.data.playerId);
    const person = people.get(id);
    if (person === undefined) continue;
    const { door } = event.data;
    people.set(
      id,
      event.type === 'players.joined'
        ? { ...person, door, since: event.at }
        : { ...person, door, since: undefined, left: event.at },
    );
  }
  return [...people.values()].sort(
    (one, other) =>
      Number(other.isOnline) - Number(one.isOnline) ||
      Number(isFree(one)) - Number(isFree(other)) ||
      one.name.localeCompare(other.name),
  );
}

/** A slot that nobody has taken. */
export function isFree({ isCustomized, isOnline }: Person): boolean {
  return isCustomized === false && !isOnline;
}

/** What of an owner there is to say, by its name in the texts. */
export function ownerOf({ owned, released, origin, ownedBy }: Person) {
  if (owned === undefined && released === undefined) return 'unknown';
  if (released) return 'released';
  if (!owned) return 'nobody';
  return origin === 'operator' ? 'operator' : (ownedBy ?? 'unknown');
}

export interface KeptOut {
  readonly at: string;
  /** Undefined where they were refused before they saw any farmhand, as by a ban or the allowlist. */
  readonly farmhandId: string | undefined;
  readonly farmhandName: string | undefined;
  readonly reason: string;
  /** Digits; absent for who may not see identities, and of who comes by address. */
  readonly identity: string | undefined;
  /** Whether they are let in once this farmhand is theirs: who is banned is not. */
  readonly isLetInAsOwner: boolean;
}

const most = 5;

/** Who was refused last, once each, the newest first. */
export function keptOut(events: readonly Event[]): readonly KeptOut[] {
  const last = new Map<string, KeptOut>();
  for (const event of events.toReversed()) {
    if (!isRefusal(event)) continue;
    const { reason, remedy, identity } = event.data;
    const farmhand = event.type === 'players.refused' ? event.data : undefined;
    const digits = identity === undefined ? undefined : String(identity.id);
    const key = `${farmhand?.playerId} ${digits ?? reason}`;
    if (last.has(key)) continue;
    last.set(key, {
      at: event.at,
      farmhandId: farmhand && String(farmhand.playerId),
      farmhandName: farmhand?.playerName,
      reason,
      identity: digits,
      isLetInAsOwner: remedy?.includes('POST /farmhands/') === true,
    });
  }
  return [...last.values()].slice(0, most);
}

/** The ids of all who came or were refused lately, as they are to be typed in. */
export function identitiesSeen(events: readonly Event[]): readonly (readonly [id: string, of: string])[] {
  const seen = new Map<string, string>();
  for (const event of events.toReversed()) {
    const found = identityIn(event);
    if (found !== undefined && !seen.has(found[0])) seen.set(...found);
  }
  return [...seen];
}

function identityIn(event: Event): [id: string, of: string] | undefined {
  if (isRefusal(event)) {
    const { identity } = event.data;
    return identity && [String(identity.id), identity.space];
  }
  if (event.type !== 'players.joined' && event.type !== 'players.left') return undefined;
  const [, digits] = /^[SG]N_(\d+)/.exec(event.data.connectionId ?? '') ?? [];
  return digits === undefined ? undefined : [digits, event.data.playerName];
}

/** With a farmhand, or before any was shown. */
function isRefusal(event: Event) {
  return event.type === 'players.refused' || event.type === 'players.turnedAway';
}
