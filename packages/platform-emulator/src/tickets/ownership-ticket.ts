import type { Account } from '../accounts/account.ts';
import { packageOf } from '../accounts/packages.ts';

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
