import type { Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { packagesOf } from '../accounts/packages.ts';
import type { Tokens } from '../authentication/tokens.ts';
import type { Randomness } from '../randomness.ts';
import { eresult } from '../wire/eresult.ts';
import { messageNumbers } from '../wire/message-numbers.ts';
import type { CmSession } from './cm-connection.ts';
import type { CmHandler, CmRequest } from './cm-message.ts';
import type { CmSessions } from './cm-sessions.ts';
import { accountInfoType, licenseListType, logonResponseType, logonType } from './logon-messages.ts';

export interface LogonParts {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly sessions: CmSessions;
  readonly randomness: Randomness;
  /** Must be positive: without it, clients flood the line with heartbeats. */
  readonly heartbeatSeconds: number;
  readonly now: () => number;
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
  { accounts, tokens }: LogonParts,
  token: string | undefined,
): { account: Account } | { eresult: number } {
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
