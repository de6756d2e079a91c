import { type ServiceMethod, serviceMethod } from '../services/service-method.ts';
import { eresult } from '../wire/eresult.ts';
import { messageType } from '../wire/protobufs.ts';
import type { AuthenticationParts } from './authentication-parts.ts';

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
export function renewalMethod({ accounts, tokens, renewal }: AuthenticationParts): ServiceMethod {
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
