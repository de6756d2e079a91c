import { eresult } from '../wire/eresult.ts';
import type { WebRoute } from './web-api.ts';

/**
 * login.steampowered.com/jwt/checkdevice, which browsers ask about the machine token. The answer is always that the
 * code has gone out by e-mail: steam-session 1.9.4 leaves the cookie with the token out of this request.
 */
export const machineCheckRoute: WebRoute = ({ url }) => {
  if (url.pathname !== '/jwt/checkdevice') return undefined;
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ result: eresult.invalidLoginAuthCode })),
  };
};
