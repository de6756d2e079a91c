import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Account, packageOf } from '../accounts/accounts.ts';
import { encryptSymmetric } from '../depot/chunk/symmetric-cipher.ts';
import type { Randomness } from '../randomness.ts';

const daySeconds = 86_400;
const ticketDays = 21;
const ticketVersion = 4;
const loopbackIp = 0x7f000001;

/**
 * An app ownership ticket: whose account, which app, from where and until when. Layout: SteamKit's
 * steam3_appticket.hsl. It bears no signature, since only the real platform could make one.
 */
export function ownershipTicket(account: Account, appId: number, nowSeconds: number): Buffer {
  const licenses = [packageOf(appId)];
  const ticket = Buffer.alloc(40 + 2 + 4 * licenses.length + 2 + 2);
  let at = 0;
  const u16 = (value: number) => {
    at = ticket.writeUInt16LE(value, at);
  };
  const u32 = (value: number) => {
    at = ticket.writeUInt32LE(value, at);
  };
  u32(ticket.length);
  u32(ticketVersion);
  at = ticket.writeBigUInt64LE(BigInt(account.steamId), at);
  u32(appId);
  u32(loopbackIp);
  u32(loopbackIp);
  const flags = 0;
  u32(flags);
  u32(nowSeconds);
  u32(nowSeconds + ticketDays * daySeconds);
  u16(licenses.length);
  for (const license of licenses) u32(license);
  const downloadableContent = 0;
  u16(downloadableContent);
  const reserved = 0;
  u16(reserved);
  return ticket;
}

/** EncryptedAppTicket, in encrypted_app_ticket.proto. */
export interface EncryptedAppTicket {
  ticket_version_no: number;
  crc_encryptedticket: number;
  cb_encrypteduserdata: number;
  cb_encrypted_appownershipticket: number;
  encrypted_ticket: Buffer;
}

const formatVersion = 1;
const saltLength = 8;

/** The user's data, the ownership ticket, a salt, the SHA-1 of all that, and a word nobody has explained; under the app's key. */
export function sealTicket(
  ownership: Buffer,
  userData: Buffer,
  key: Buffer,
  randomness: Randomness,
): EncryptedAppTicket {
  const salted = Buffer.concat([userData, ownership, randomness.bytes(saltLength)]);
  const plain = Buffer.concat([salted, createHash('sha1').update(salted).digest(), Buffer.alloc(4)]);
  return {
    ticket_version_no: formatVersion,
    crc_encryptedticket: crc32(plain),
    cb_encrypteduserdata: userData.length,
    cb_encrypted_appownershipticket: ownership.length,
    encrypted_ticket: encryptSymmetric(plain, key),
  };
}
