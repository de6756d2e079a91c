import type { Account } from '../accounts/accounts.ts';
import { type ServiceMethod, serviceMethod } from '../services/service-method.ts';
import { eresult } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { AuthenticationParts } from './authentication-parts.ts';
import { type AllowedConfirmation, allowedConfirmations, guardTypes } from './guard-types.ts';
import { type DeviceDetails, requestedAudience } from './login-attempts.ts';

// All of these messages are in steammessages_auth.steamclient.proto.
const keyRequest = messageType<{ account_name: string }>('CAuthentication_GetPasswordRSAPublicKey_Request');
const keyResponse = messageType<{ publickey_mod: string; publickey_exp: string; timestamp: string }>(
  'CAuthentication_GetPasswordRSAPublicKey_Response',
);

interface BeginRequest {
  account_name: string;
  encrypted_password: string;
  device_details: DeviceDetails;
  guard_data: string;
}
interface BeginResponse {
  client_id: string;
  request_id: Buffer;
  interval: number;
  allowed_confirmations: AllowedConfirmation[];
  steamid: string;
  weak_token: string;
}
const beginRequest = messageType<BeginRequest>('CAuthentication_BeginAuthSessionViaCredentials_Request');
const beginResponse = messageType<BeginResponse>('CAuthentication_BeginAuthSessionViaCredentials_Response');

const codeRequest = messageType<{ client_id: string; steamid: string; code: string; code_type: number }>(
  'CAuthentication_UpdateAuthSessionWithSteamGuardCode_Request',
);
const emptyCodeResponse = messageType<object>('CAuthentication_UpdateAuthSessionWithSteamGuardCode_Response');

export function passwordMethods(parts: AuthenticationParts): ServiceMethod[] {
  return [passwordKey(parts), beginWithPassword(parts), submitCode(parts)];
}

function passwordKey({ passwords, now }: AuthenticationParts): ServiceMethod {
  return serviceMethod('Authentication.GetPasswordRSAPublicKey', keyRequest, keyResponse, () => {
    const { modulus, exponent } = passwords.publicKey();
    return { body: { publickey_mod: modulus, publickey_exp: exponent, timestamp: String(now()) } };
  });
}

function beginWithPassword(parts: AuthenticationParts): ServiceMethod {
  const { accounts, attempts, limit, passwords, pollIntervalSeconds } = parts;
  const name = 'Authentication.BeginAuthSessionViaCredentials';
  return serviceMethod(name, beginRequest, beginResponse, (request) => {
    if (!limit.allows()) return { eresult: eresult.rateLimitExceeded };
    const account = accounts.find(request.account_name);
    const password = passwords.decrypt(request.encrypted_password ?? '');
    if (account === undefined || account.password !== password) return { eresult: eresult.invalidPassword };
    const confirmations = allowedConfirmations(account, isKnownMachine(parts, account, request.guard_data));
    const attempt = attempts.begin({
      kind: 'password',
      account,
      ...requestedAudience(request.device_details),
    });
    if (confirmations.some(({ confirmation_type }) => confirmation_type === guardTypes.none)) {
      attempt.state = 'approved';
    }
    return {
      body: {
        client_id: attempt.clientId,
        request_id: attempt.requestId,
        interval: pollIntervalSeconds,
        allowed_confirmations: confirmations,
        steamid: account.steamId,
        weak_token: 'weak',
      },
    };
  });
}

function isKnownMachine({ tokens }: AuthenticationParts, account: Account, machineToken?: string): boolean {
  const claims = machineToken === undefined ? undefined : tokens.read(machineToken);
  if (claims === undefined || tokens.isExpired(claims)) return false;
  return claims.aud.includes('machine') && claims.sub === account.steamId;
}

/** A wrong code leaves the login open for the next try, as the real platform does. One that is decided takes no code. */
function submitCode({ attempts }: AuthenticationParts): ServiceMethod {
  const name = 'Authentication.UpdateAuthSessionWithSteamGuardCode';
  return serviceMethod(name, codeRequest, emptyCodeResponse, (request) => {
    const attempt = attempts.find(request.client_id);
    if (attempt === undefined || attempt.state === 'denied') return { eresult: eresult.fileNotFound };
    if (attempts.isExpired(attempt)) return { eresult: eresult.expired };
    if (attempt.state === 'approved') return { eresult: eresult.duplicateRequest };
    const byEmail = request.code_type === guardTypes['email-code'];
    const offered = attempt.account?.guards.includes(byEmail ? 'email-code' : 'device-code') ?? false;
    if (!offered || request.code !== attempt.account?.guardCode) {
      return { eresult: byEmail ? eresult.invalidLoginAuthCode : eresult.twoFactorCodeMismatch };
    }
    attempt.state = 'approved';
    attempt.remembersMachine = byEmail;
    return { body: {} };
  });
}
