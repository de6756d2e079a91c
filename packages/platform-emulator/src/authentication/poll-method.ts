import { type ServiceMethod, serviceMethod } from '../services/service-method.ts';
import { eresult } from '../wire/eresult.ts';
import { messageType } from '../wire/protobufs.ts';
import type { AuthenticationParts } from './authentication-parts.ts';
import { challengeUrl, type LoginAttempt } from './login-attempt.ts';

// CAuthentication_PollAuthSessionStatus_*, in steammessages_auth.steamclient.proto.
const pollRequest = messageType<{ client_id: string; request_id: Buffer }>(
  'CAuthentication_PollAuthSessionStatus_Request',
);
interface PollResponse {
  new_client_id?: string;
  new_challenge_url?: string;
  refresh_token?: string;
  access_token?: string;
  had_remote_interaction: boolean;
  account_name?: string;
  new_guard_data?: string;
}
const pollResponse = messageType<PollResponse>('CAuthentication_PollAuthSessionStatus_Response');

export function pollMethod(parts: AuthenticationParts): ServiceMethod {
  const { attempts } = parts;
  return serviceMethod('Authentication.PollAuthSessionStatus', pollRequest, pollResponse, (request) => {
    const attempt = attempts.find(request.client_id);
    if (attempt === undefined || !attempt.requestId.equals(request.request_id ?? Buffer.alloc(0))) {
      return { eresult: eresult.fileNotFound };
    }
    if (attempts.isExpired(attempt)) {
      attempts.end(attempt);
      return { eresult: eresult.expired };
    }
    if (attempt.state === 'denied') {
      attempts.end(attempt);
      // A denied login is gone, and says so: steam-session's issue 47 shows this answer from the real platform.
      return { eresult: eresult.fileNotFound };
    }
    return { body: attempt.state === 'approved' ? finished(parts, attempt) : unfinished(attempt) };
  });
}

function unfinished(attempt: LoginAttempt): PollResponse {
  const response: PollResponse = { had_remote_interaction: attempt.remoteInteraction };
  if (!attempt.rotated) return response;
  attempt.rotated = false;
  return {
    ...response,
    new_client_id: attempt.clientId,
    new_challenge_url: challengeUrl(attempt.clientId),
  };
}

/** The tokens are handed out once. */
function finished({ attempts, tokens }: AuthenticationParts, attempt: LoginAttempt): PollResponse {
  const { account, audience } = attempt;
  if (account === undefined) throw new Error('a login was approved without an account');
  attempts.end(attempt);
  const refreshToken = tokens.refreshToken(account, { audience });
  const claims = tokens.read(refreshToken);
  return {
    refresh_token: refreshToken,
    ...(claims === undefined ? {} : { access_token: tokens.accessToken(account, claims) }),
    account_name: account.name,
    had_remote_interaction: attempt.remoteInteraction,
    ...(attempt.remembersMachine ? { new_guard_data: tokens.machineToken(account) } : {}),
  };
}
