import { type ServiceMethod, serviceMethod } from '../services/service-method.ts';
import { eresult } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { AuthenticationParts } from './authentication-parts.ts';
import { challengeUrl, type LoginAttempt } from './login-attempts.ts';

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

/** Where a login ends in tokens, and where a token is renewed. */
export function tokenMethods(parts: AuthenticationParts): ServiceMethod[] {
  return [pollMethod(parts), renewalMethod(parts)];
}

function pollMethod(parts: AuthenticationParts): ServiceMethod {
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

// CAuthentication_AccessToken_GenerateForApp_*, in steammessages_auth.steamclient.proto.
const tokenRequest = messageType<{ refresh_token: string; steamid: string; renewal_type: number }>(
  'CAuthentication_AccessToken_GenerateForApp_Request',
);
const tokenResponse = messageType<{ access_token: string; refresh_token?: string }>(
  'CAuthentication_AccessToken_GenerateForApp_Response',
);

/** ETokenRenewalType.Allow. */
const renewalAllowed = 1;

/** Gives an access token and, where the policy says so, a new refresh token: the old one is dead from that moment. */
function renewalMethod({ accounts, tokens, renewal }: AuthenticationParts): ServiceMethod {
  const name = 'Authentication.GenerateAccessTokenForApp';
  return serviceMethod(name, tokenRequest, tokenResponse, (request, caller) => {
    const judged = tokens.judge(request.refresh_token);
    if ('eresult' in judged) return { eresult: eresult.accessDenied };
    const account = accounts.withId(judged.claims.sub);
    if (account === undefined) return { eresult: eresult.accessDenied };
    // A client's token is only served over that account's own session; the web and mobile kinds go by themselves.
    const isClientToken = judged.claims.aud.includes('client');
    if (isClientToken && caller.account !== account) return { eresult: eresult.accessDenied };
    const accessToken = tokens.accessToken(account, judged.claims);
    const due = renewal === 'always' || (renewal === 'near-expiry' && tokens.isNearExpiry(judged.claims));
    if (request.renewal_type !== renewalAllowed || !due) return { body: { access_token: accessToken } };
    const audience = isClientToken ? 'client' : judged.claims.aud.includes('mobile') ? 'mobile' : 'web';
    const renewed = tokens.refreshToken(account, { audience });
    if (request.refresh_token !== undefined) tokens.revoke(request.refresh_token);
    return { body: { access_token: accessToken, refresh_token: renewed } };
  });
}
