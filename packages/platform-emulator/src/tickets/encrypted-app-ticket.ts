import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encryptSymmetric } from '../depot/chunk/symmetric-cipher.ts';
import type { Randomness } from '../randomness.ts';

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
