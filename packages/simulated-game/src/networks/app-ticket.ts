import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { inRange, platformAccountRange } from '@steward/shared/ids';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { Random } from '../time/random.ts';
import { decryptTicket, encryptTicket, type Field, readFields, writeFields } from './ticket-envelope.ts';

/** What a ticket proves: this account owns this app. */
export interface AppTicket {
  readonly account: bigint;
  readonly appId: number;
}

/** The app that the tickets are for. */
const gameAppId = 413150;

export const ticketKeyBytes = 32;

const noKey = 'the network has no key to verify app tickets with; set FARM_TICKET_KEY';

/** Field numbers of the envelope, in which the ticket itself is encrypted for the app's backend alone. */
const envelope = { version: 1, checksum: 2, userDataLength: 3, ownershipLength: 4, encrypted: 5 } as const;

// Offsets in the ownership part, which begins with its own length: version, account, app, addresses, flags, dates.
const ownership = { account: 8, app: 16, least: 46 } as const;
const ownershipVersion = 4;
const saltBytes = 8;
const digestBytes = 20;
const trailerBytes = 4;

/** The network's backend: it takes a ticket, and nothing but a ticket, for a sign-in. */
export interface TicketVerifier {
  /** The platform account that the ticket belongs to. */
  verify(ticket: Buffer): Parsed<bigint>;
}

export function verifierOf(key: Buffer | undefined): TicketVerifier {
  return {
    verify(ticket) {
      if (key === undefined) return refused(noKey);
      const read = readAppTicket(ticket, key);
      if (!read.ok) return refused(`the app ticket ${read.reason}`);
      if (read.value.appId !== gameAppId) return refused(`the app ticket is for app ${read.value.appId}`);
      return accepted(read.value.account);
    },
  };
}

/** The platform's part for players who own the game. Without the key it has nothing to give that would be taken. */
export function issuerOf(key: Buffer | undefined, random: Random): (account: bigint) => Buffer {
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
  return (account) =>
    key === undefined ? Buffer.alloc(0) : issueAppTicket({ account, appId: gameAppId }, key, bytes);
}

/** Reads a ticket with the app's key, as the network's backend does. */
export function readAppTicket(ticket: Buffer, key: Buffer): Parsed<AppTicket> {
  const fields = readFields(ticket);
  const encrypted = bytes(fields?.get(envelope.encrypted));
  if (fields === undefined || encrypted === undefined) return refused('is not an encrypted app ticket');
  const plain = decryptTicket(encrypted, key);
  if (plain === undefined) return refused('is not encrypted with the key of this app');
  if (crc32(plain) !== number(fields.get(envelope.checksum))) return refused('has a wrong checksum');
  const userData = number(fields.get(envelope.userDataLength)) ?? 0;
  if (plain.length < userData + ownership.least) return refused('is cut short');
  const signed = userData + plain.readUInt32LE(userData);
  if (!isSigned(plain, signed)) return refused('does not carry the hash of what it says');
  const account = plain.readBigUInt64LE(userData + ownership.account);
  if (!inRange(account, platformAccountRange)) return refused('does not belong to the account of a person');
  return accepted({ account, appId: plain.readUInt32LE(userData + ownership.app) });
}

/** Makes a ticket as the platform does for an account that owns the app; `random` gives as many bytes as asked for. */
export function issueAppTicket(
  { account, appId }: AppTicket,
  key: Buffer,
  random: (length: number) => Buffer,
): Buffer {
  const owned = Buffer.alloc(ownership.least);
  owned.writeUInt32LE(owned.length, 0);
  owned.writeUInt32LE(ownershipVersion, 4);
  owned.writeBigUInt64LE(account, ownership.account);
  owned.writeUInt32LE(appId, ownership.app);
  const salt = random(saltBytes);
  const plain = Buffer.concat([owned, salt, digest(owned, salt), Buffer.alloc(trailerBytes)]);
  return writeFields(
    new Map<number, Field>([
      [envelope.version, { number: 1 }],
      [envelope.checksum, { number: crc32(plain) }],
      [envelope.userDataLength, { number: 0 }],
      [envelope.ownershipLength, { number: owned.length }],
      [envelope.encrypted, { bytes: encryptTicket(plain, key, random(16)) }],
    ]),
  );
}

function isSigned(plain: Buffer, signed: number): boolean {
  const salt = plain.subarray(signed, signed + saltBytes);
  const found = plain.subarray(signed + saltBytes, signed + saltBytes + digestBytes);
  return found.length === digestBytes && digest(plain.subarray(0, signed), salt).equals(found);
}

function digest(text: Buffer, salt: Buffer): Buffer {
  return createHash('sha1').update(text).update(salt).digest();
}

function bytes(field: Field | undefined): Buffer | undefined {
  return field !== undefined && 'bytes' in field ? field.bytes : undefined;
}

function number(field: Field | undefined): number | undefined {
  return field !== undefined && 'number' in field ? field.number : undefined;
}
