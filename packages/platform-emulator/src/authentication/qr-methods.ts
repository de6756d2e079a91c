import { createHmac } from 'node:crypto';
import { type ServiceMethod, serviceMethod } from '../services/service-method.ts';
import { eresult } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { AuthenticationParts } from './authentication-parts.ts';
import { type AllowedConfirmation, guardTypes } from './guard-types.ts';
import { challengeUrl, challengeVersion, type DeviceDetails, requestedAudience } from './login-attempts.ts';

// All of these messages are in steammessages_auth.steamclient.proto.
const beginRequest = messageType<{ device_details: DeviceDetails }>(
  'CAuthentication_BeginAuthSessionViaQR_Request',
);
const beginResponse = messageType<{
  client_id: string;
  challenge_url: string;
  request_id: Buffer;
  interval: number;
  allowed_confirmations: AllowedConfirmation[];
  version: number;
}>('CAuthentication_BeginAuthSessionViaQR_Response');

const infoRequest = messageType<{ client_id: string }>('CAuthentication_GetAuthSessionInfo_Request');
const infoResponse = messageType<{ ip: string; device_friendly_name: string; version: number }>(
  'CAuthentication_GetAuthSessionInfo_Response',
);

interface ConfirmRequest {
  version: number;
  client_id: string;
  steamid: string;
  signature: Buffer;
  confirm: boolean;
}
const confirmRequest = messageType<ConfirmRequest>(
  'CAuthentication_UpdateAuthSessionWithMobileConfirmation_Request',
);
const confirmResponse = messageType<object>(
  'CAuthentication_UpdateAuthSessionWithMobileConfirmation_Response',
);

export function qrMethods(parts: AuthenticationParts): ServiceMethod[] {
  return [beginWithQr(parts), inspect(parts), confirmOnDevice(parts)];
}

function beginWithQr({ attempts, pollIntervalSeconds }: AuthenticationParts): ServiceMethod {
  return serviceMethod('Authentication.BeginAuthSessionViaQR', beginRequest, beginResponse, (request) => {
    const attempt = attempts.begin({
      kind: 'qr',
      account: undefined,
      ...requestedAudience(request.device_details),
    });
    return {
      body: {
        client_id: attempt.clientId,
        challenge_url: challengeUrl(attempt.clientId),
        request_id: attempt.requestId,
        interval: pollIntervalSeconds,
        allowed_confirmations: [
          { confirmation_type: guardTypes['device-confirmation'], associated_message: '' },
        ],
        version: challengeVersion,
      },
    };
  });
}

/** What the account's device shows before it asks yes or no. */
function inspect({ attempts }: AuthenticationParts): ServiceMethod {
  return serviceMethod('Authentication.GetAuthSessionInfo', infoRequest, infoResponse, (request, caller) => {
    const attempt = attempts.scan(request.client_id);
    if (caller.account === undefined) return { eresult: eresult.accessDenied };
    if (attempt === undefined) return { eresult: eresult.fileNotFound };
    attempt.remoteInteraction = true;
    return {
      body: { ip: '127.0.0.1', device_friendly_name: attempt.deviceName, version: challengeVersion },
    };
  });
}

/** The device's yes or no, signed with the secret that only it and the platform hold. */
function confirmOnDevice({ attempts }: AuthenticationParts): ServiceMethod {
  const name = 'Authentication.UpdateAuthSessionWithMobileConfirmation';
  return serviceMethod(name, confirmRequest, confirmResponse, (request, { account }) => {
    const attempt = attempts.scan(request.client_id);
    if (account === undefined || account.steamId !== request.steamid)
      return { eresult: eresult.accessDenied };
    if (attempt === undefined) return { eresult: eresult.fileNotFound };
    const signed = Buffer.alloc(18);
    signed.writeUInt16LE(request.version ?? 0, 0);
    signed.writeBigUInt64LE(BigInt(request.client_id ?? 0), 2);
    signed.writeBigUInt64LE(BigInt(request.steamid), 10);
    const expected = createHmac('sha256', account.deviceSecret).update(signed).digest();
    if (!expected.equals(request.signature ?? Buffer.alloc(0))) return { eresult: eresult.accessDenied };
    attempt.account = account;
    attempt.state = request.confirm === true ? 'approved' : 'denied';
    return { body: {} };
  });
}
