import { randomBytes } from 'node:crypto';
import type { ListRow } from '@steward/shared/api/answers/moderation';
import type { KeyExpiry } from '@steward/shared/api/key-parameters';
import { type ModerationList, moderationLimits } from '@steward/shared/api/moderation-parameters';
import { shownReason } from '@steward/shared/chat/line';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import { type Address, isPrivate, isWithin, printNetwork, readNetwork } from '../ip-networks.ts';
import { type GivenRow, isOver, type Lists, mostIdentities, whomOf, withId } from './lists.ts';

/** Wider networks than these are a country, or a continent. */
const widestBits = { ipv4: 16, ipv6: 32 } as const;

/** Whom a row is to be about: a farmhand that was looked up, an identity or an address. */
export type Whom = Pick<GivenRow, 'playerId' | 'playerName' | 'identities' | 'identity' | 'address'>;

export interface NewRow extends Whom {
  readonly reason?: string | undefined;
  readonly until?: KeyExpiry | undefined;
}

export type WhichRow = { readonly id: string } | { readonly name: string } | Whom;

/** A change that is to be written, and the row that it is about. */
export interface Change {
  readonly lists: Lists;
  readonly row: ListRow;
}

// Each says how the lists are to be, or throws the Problem that says why nothing is to be done.

/** Whoever is on the list keeps the row, with what was said last. */
export function added(lists: Lists, list: ModerationList, given: NewRow, now: number): Change {
  const { reason: why, until, identities, ...whom } = given;
  const shown = why === undefined ? undefined : shownReason(why);
  const rows = lists[list];
  const before = rows.find((row) => whomOf(row) === whomOf(whom));
  if (before === undefined) refuseTooMany(rows.length + 1);
  const row: ListRow = {
    id: before?.id ?? newId(),
    ...whom,
    ...identitiesOf(identities, before),
    ...(shown?.ok ? { reason: shown.value.text } : {}),
    ...(until === undefined ? {} : { until: endOf(until, now) }),
    createdAt: before?.createdAt ?? timestampOf(now),
  };
  const after = before === undefined ? [...rows, row] : rows.map((one) => (one === before ? row : one));
  return { lists: { ...lists, [list]: after }, row };
}

/** Whose farmhand it was when they were listed first is still meant, though it may be somebody else's by now. */
function identitiesOf(given: Whom['identities'], before: ListRow | undefined): Pick<ListRow, 'identities'> {
  if (before === undefined) return given === undefined ? {} : { identities: given };
  // Whoever is known by whatever the ownership map says stays so.
  if (before.identities === undefined) return {};
  // Where nobody can tell now, who was known stays known.
  const all = new Set([...before.identities, ...(given ?? [])]);
  return { identities: [...all].slice(-mostIdentities) };
}

export function removed(lists: Lists, list: ModerationList, which: WhichRow, now: number): Change {
  const rows = lists[list];
  const isListed = new Set(withoutOver(lists, list, now));
  const meant = rows.filter((one) => isMeant(one, which));
  const [row, ...more] = meant.some((one) => isListed.has(one))
    ? meant.filter((one) => isListed.has(one))
    : meant;
  if (row === undefined)
    throw new Problem('ban-not-found', `The list has no such entry: GET /${list} shows all entries`);
  if (more.length > 0)
    throw new Problem('ambiguous-name', 'Several entries have this name: use the id of the row');
  return { lists: { ...lists, [list]: rows.filter((one) => one !== row) }, row };
}

/** What became of the rows of a list that somebody brought. */
export interface Imported {
  readonly lists: Lists;
  readonly added: readonly ListRow[];
  readonly alreadyThere: number;
  readonly over: number;
}

/** Who is on the list already stays as they are, unless their time is over: a row that still counts comes in its place. */
export function imported(
  lists: Lists,
  list: ModerationList,
  given: readonly GivenRow[],
  now: number,
): Imported {
  const known = new Set(lists[list].filter((row) => !isOver(row, now)).map(whomOf));
  const ids = new Set([...lists.bans, ...lists.allowlist].map(({ id }) => id));
  const fresh: ListRow[] = [];
  let [alreadyThere, over] = [0, 0];
  for (const one of given) {
    if (isOver(one, now)) over += 1;
    else if (known.has(whomOf(one))) alreadyThere += 1;
    else {
      const id = one.id === undefined || ids.has(one.id) ? newId() : one.id;
      fresh.push({ ...withId(one, id), createdAt: one.createdAt ?? timestampOf(now) });
      known.add(whomOf(one));
      ids.add(id);
    }
  }
  const again = new Set(fresh.map(whomOf));
  const rows = [...lists[list].filter((row) => !again.has(whomOf(row))), ...fresh];
  refuseTooMany(rows.length);
  return { lists: { ...lists, [list]: rows }, added: fresh, alreadyThere, over };
}

/**
 * What is listed. Bans that are over are not, and stay in the file until the clock is believed; whose time on the allowlist is over stays
 * there: without rows it would let in everybody.
 */
export function withoutOver(lists: Lists, list: ModerationList, now: number): readonly ListRow[] {
  return list === 'allowlist' ? lists[list] : lists[list].filter((row) => !isOver(row, now));
}

/** Why a row for this address would concern others than who is meant; undefined where there is no reason to think so. */
export function concernsOthers(text: string | undefined, online: readonly Address[]): string | undefined {
  const network = text === undefined ? undefined : readNetwork(text);
  if (network === undefined) return undefined;
  const [first, bits] = network;
  if (bits < widestBits[first.kind()]) return `${text} is a very wide network`;
  if (isPrivate(first))
    return `${text} is a private address: behind a proxy, such as Docker’s, everybody has the same one`;
  const sharing = online.filter((address) => isWithin(address, network)).length;
  return sharing > 1 ? `${sharing} online players have the address ${text}` : undefined;
}

/** In the one form that is compared. */
export function readAddressGiven(text: string): string {
  const network = readNetwork(text);
  if (network !== undefined) return printNetwork(network);
  throw new Problem(
    'invalid-parameter',
    `address is ${JSON.stringify(text)}, which is neither an address nor a network: it must be one such as 198.51.100.7 or 2001:db8::/32`,
  );
}

function isMeant(row: ListRow, which: WhichRow): boolean {
  if ('id' in which) return row.id === which.id;
  if ('name' in which) return row.playerName?.toLowerCase() === which.name.toLowerCase();
  return whomOf(row) === whomOf(which);
}

function refuseTooMany(count: number): void {
  if (count <= moderationLimits.rows) return;
  throw new Problem(
    'too-many-bans',
    `The list would have ${count} rows, and the maximum is ${moderationLimits.rows}: remove some, or use networks`,
  );
}

function endOf(until: KeyExpiry, now: number): string {
  const at = 'at' in until ? Date.parse(until.at) : now + until.afterMs;
  const text = timestampOf(at);
  if (at > now) return text;
  throw new Problem(
    'invalid-parameter',
    `until is ${text}, which has passed: it must be a time in the future`,
  );
}

function newId(): string {
  return `row_${randomBytes(6).toString('hex')}`;
}
