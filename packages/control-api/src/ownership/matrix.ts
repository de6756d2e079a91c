import { isOwner, type OwnerRecord } from './ownership-map.ts';
import type { Visitor } from './visitor.ts';

/** What the decision looks at; the first row that applies counts, from top to bottom. */
export type SlotState =
  /** There is a record, or the mark of an operator's release. */
  | { readonly kind: 'recorded'; readonly record: OwnerRecord }
  /** Somebody's farmhand, whose record may have been in a file that could not be read. */
  | { readonly kind: 'doubtful'; readonly stamp: string | undefined }
  /** No record; the game kept the user id that a client declared long ago. */
  | { readonly kind: 'stamped'; readonly stamp: string }
  /** No record, no stamp: made by somebody who came by address. */
  | { readonly kind: 'address-pool' }
  /** Nobody's yet, but somebody who came by address, and is written down nowhere, is about to make it theirs. */
  | { readonly kind: 'promised' }
  /** Nobody's yet. */
  | { readonly kind: 'fresh' };

export interface SlotFacts {
  readonly record: OwnerRecord | undefined;
  readonly isDoubtful: boolean;
  readonly stamp: string | undefined;
  readonly isCustomized: boolean;
  readonly isPromised?: boolean;
}

export function slotStateOf({ record, isDoubtful, stamp, isCustomized, isPromised }: SlotFacts): SlotState {
  if (record !== undefined) return { kind: 'recorded', record };
  if (isDoubtful && isCustomized) return { kind: 'doubtful', stamp };
  if (stamp !== undefined) return { kind: 'stamped', stamp };
  if (isCustomized) return { kind: 'address-pool' };
  return { kind: isPromised ? 'promised' : 'fresh' };
}

/** Whether to show a slot, or to let somebody have it. Only who claims one has declared who they are. */
export type Question =
  | { readonly asks: 'show' }
  | { readonly asks: 'join'; readonly declaredStamp: string | undefined };

/** Why a decision is what it is, and what an operator can do about it. */
export const reasons = {
  owner: { says: 'it is theirs' },
  released: { says: 'it is free for the next player' },
  'stamp-agrees': { says: 'it carries their network id' },
  'stamp-to-be-compared': { says: 'the network id that it carries is compared when it is claimed' },
  'address-pool': { says: 'it belongs to players who connect by IP' },
  fresh: { says: 'it has no owner yet' },
  promised: { says: 'another player is making it theirs' },
  'other-owner': { says: 'it belongs to another identity', remedy: 'rebind' },
  'other-stamp': { says: 'it carries somebody else’s network id', remedy: 'rebind' },
  'stamp-without-identity': {
    says: 'it carries a network id, and players who connect by IP have none',
    remedy: 'release',
  },
  'address-pool-only': {
    says: 'it was made over direct IP, and is only for players who connect by IP',
    remedy: 'release',
  },
  doubtful: {
    says: 'its owner was in an ownership map that could not be read',
    remedy: 'rebind',
  },
  'doubtful-by-address': {
    says: 'its owner was in an ownership map that could not be read',
    remedy: 'release',
  },
  unreadable: { says: 'the connection id cannot be read, so the player is unknown' },
} as const satisfies Record<string, { says: string; remedy?: 'rebind' | 'release' }>;

export type Reason = keyof typeof reasons;

export interface Decision {
  /** `game-decides`: the game may go on with its own comparison of stamps. */
  readonly decision: 'allow' | 'refuse' | 'game-decides';
  readonly reason: Reason;
}

/** The whole matrix: who may see, and take, which slot. The join gate and the list of slots both ask here. */
export function decide(slot: SlotState, { identity }: Visitor, question: Question): Decision {
  if (identity === 'unreadable') return refuse('unreadable');
  switch (slot.kind) {
    case 'recorded':
      if (slot.record.owner === 'released') return allow('released');
      return identity !== 'nobody' && isOwner(slot.record, identity) ? allow('owner') : refuse('other-owner');
    case 'doubtful':
      if (identity === 'nobody') return refuse('doubtful-by-address');
      // A stamp is a network id, and over the network the connection itself says whose it is.
      return isStampOf(slot.stamp, identity) ? gameDecides('stamp-agrees') : refuse('doubtful');
    case 'stamped':
      if (identity === 'nobody') return refuse('stamp-without-identity');
      if (identity.space === 'platform') return declared(slot.stamp, question);
      // The game would compare what the client declares; the connection knows better.
      return isStampOf(slot.stamp, identity) ? gameDecides('stamp-agrees') : refuse('other-stamp');
    case 'address-pool':
      return identity === 'nobody' ? allow('address-pool') : refuse('address-pool-only');
    case 'promised':
      // The game keeps two who come by address apart; a record would take it from the first of them.
      return identity === 'nobody' ? allow('fresh') : refuse('promised');
    case 'fresh':
      return allow('fresh');
  }
}

/** The one place where a client's own word counts: a platform id cannot be compared with a stamp. */
function declared(stamp: string, question: Question): Decision {
  if (question.asks === 'show') return gameDecides('stamp-to-be-compared');
  return question.declaredStamp === stamp ? allow('stamp-agrees') : refuse('other-stamp');
}

function isStampOf(stamp: string | undefined, identity: { space: string; id: bigint }): boolean {
  return identity.space === 'network' && stamp === identity.id.toString();
}

function allow(reason: Reason): Decision {
  return { decision: 'allow', reason };
}

function refuse(reason: Reason): Decision {
  return { decision: 'refuse', reason };
}

function gameDecides(reason: Reason): Decision {
  return { decision: 'game-decides', reason };
}
