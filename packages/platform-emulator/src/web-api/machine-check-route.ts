import type { Tokens } from '../authentication/tokens.ts';
import { eresult } from '../wire/eresult.ts';
import type { WebRoute } from './web-api.ts';

/** login.steampowered.com/jwt/checkdevice: a browser's way to show the token of a machine that is known already. */
export function machineCheckRoute(tokens: Tokens): WebRoute {
  return ({ url, body, cookies }) => {
    if (url.pathname !== '/jwt/checkdevice') return undefined;
    const steamId = /name="steamid"\r\n\r\n(\d+)/.exec(body)?.[1] ?? '';
    const cookie = new RegExp(`steamMachineAuth${steamId}=([^;]+)`).exec(cookies)?.[1];
    const claims = cookie === undefined ? undefined : tokens.read(cookie);
    const isKnown = claims?.sub === steamId && claims.aud.includes('machine') && !tokens.isExpired(claims);
    // Without one, the code goes out by e-mail and the login waits for it.
    const answer = { result: isKnown ? eresult.ok : eresult.invalidLoginAuthCode };
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(answer)),
    };
  };
}
