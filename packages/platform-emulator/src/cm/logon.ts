import { type Account, type Accounts, packagesOf } from '../accounts/accounts.ts';
import type { LogonLimit } from '../authentication/login-limit.ts';
import type { Tokens } from '../authentication/tokens.ts';
import type { Randomness } from '../randomness.ts';
import { eresult, messageNumbers } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { CmSession, CmSessions } from './cm-connection.ts';
import type { CmHandler, CmRequest } from './cm-message.ts';

// Source: docs/platform-emulator.md, wire: order; all in steammessages_clientserver_login.proto or steammessages_clientserver.proto.

interface IpAddress {
  v4?: number;
}

const logonType = messageType<{
  access_token: string;
  account_name: string;
  anon_user_target_account_name: string;
  /** What the client calls its logon id. */
  obfuscated_private_ip: IpAddress;
}>('CMsgClientLogon');

const logonResponseType = messageType<{
  eresult: number;
  heartbeat_seconds?: number;
  legacy_out_of_game_heartbeat_seconds?: number;
  rtime32_server_time?: number;
  cell_id?: number;
  public_ip?: IpAddress;
  client_supplied_steamid?: string;
  client_instance_id?: string;
}>('CMsgClientLogonResponse');

const accountInfoType = messageType<{
  persona_name: string;
  ip_country: string;
  count_authed_computers: number;
  account_flags: number;
}>('CMsgClientAccountInfo');

const licenseListType = messageType<{
  eresult: number;
  licenses: { package_id: number; license_type: number; time_created: number; owner_id: number }[];
}>('CMsgClientLicenseList');

interface LogonParts {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly sessions: CmSessions;
  readonly randomness: Randomness;
  /** Must be positive: without it, clients flood the line with heartbeats. */
  readonly heartbeatSeconds: number;
  readonly now: () => number;
  readonly limit: LogonLimit | undefined;
}

const loopbackIp = 0x7f000001;
const cellId = 1;
/** ELicenseType.SinglePurchase: what the licence of a bought game says of itself. */
const singlePurchase = 1;

export function logonHandlers(parts: LogonParts): CmHandler[] {
  return [
    { message: messageNumbers.ClientHello, beforeLogon: true, handle: () => undefined },
    { message: messageNumbers.ClientHeartBeat, handle: () => undefined },
    {
      message: messageNumbers.ClientLogOff,
      beforeLogon: true,
      handle: ({ connection }) => connection.close(),
    },
    { message: messageNumbers.ClientLogon, beforeLogon: true, handle: (request) => logOn(parts, request) },
  ];
}

function logOn(parts: LogonParts, { connection, body, fault, entry }: CmRequest): void {
  const logon = logonType.decode(body);
  const judged = fault.eresult === undefined ? judge(parts, logon.access_token) : { eresult: fault.eresult };
  if ('eresult' in judged) {
    entry.outcome = judged.eresult;
    connection.send(messageNumbers.ClientLogOnResponse, logonResponseType, { eresult: judged.eresult });
    return;
  }
  const session: CmSession = {
    account: judged.account,
    connection,
    sessionId: (parts.randomness.bytes(4).readUInt32LE() >>> 2) | 1,
    logonId: logon.obfuscated_private_ip?.v4 ?? 0,
  };
  replaceOlder(parts, session);
  connection.session = session;
  parts.sessions.begin(session);
  entry.outcome = eresult.ok;
  welcome(parts, session);
}

/** Source: docs/platform-emulator.md, wire: tokens; only a token for the client may log on. */
function judge(
  { accounts, tokens, limit }: LogonParts,
  token: string | undefined,
): { account: Account } | { eresult: number } {
  if (limit?.allows() === false) return { eresult: eresult.rateLimitExceeded };
  const judged = tokens.judge(token, 'client');
  if ('eresult' in judged) return judged;
  const account = accounts.withId(judged.claims.sub);
  if (account === undefined) return { eresult: eresult.invalidPassword };
  return account.refusal === undefined ? { account } : { eresult: account.refusal };
}

function replaceOlder({ sessions }: LogonParts, { account, logonId }: CmSession): void {
  for (const older of sessions.of(account)) {
    if (older.logonId !== logonId) continue;
    sessions.end(older);
    older.connection.kick(eresult.logonSessionReplaced);
  }
}

function welcome(parts: LogonParts, { account, connection }: CmSession): void {
  const seconds = Math.floor(parts.now() / 1000);
  connection.send(messageNumbers.ClientLogOnResponse, logonResponseType, {
    eresult: eresult.ok,
    heartbeat_seconds: parts.heartbeatSeconds,
    legacy_out_of_game_heartbeat_seconds: parts.heartbeatSeconds,
    rtime32_server_time: seconds,
    cell_id: cellId,
    public_ip: { v4: loopbackIp },
    client_supplied_steamid: account.steamId,
    client_instance_id: '1',
  });
  const licenses = packagesOf(account).map((package_id) => ({
    package_id,
    license_type: singlePurchase,
    time_created: seconds,
    owner_id: Number(BigInt(account.steamId) & 0xffffffffn),
  }));
  connection.sendMulti([
    connection.frame(messageNumbers.ClientAccountInfo, accountInfoType, {
      persona_name: account.name,
      ip_country: 'ZZ',
      count_authed_computers: 1,
      account_flags: 0,
    }),
    connection.frame(messageNumbers.ClientLicenseList, licenseListType, { eresult: eresult.ok, licenses }),
  ]);
}
