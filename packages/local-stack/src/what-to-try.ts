import { farmControl, type Ports } from './members.ts';
import { defaultState } from './options.ts';
import { loopback } from './ports.ts';

/** What a newcomer reads when everything is up. */
export function whatToTry(
  { controlApi, platformAuth }: Ports,
  state: string,
  key: string | undefined,
): string {
  const api = `http://${loopback}:${controlApi}`;
  const open = key ? ' -H "Authorization: Bearer $API_KEY"' : '';
  const farm = `${state === defaultState ? '' : `FARM_CONTROL=${shellWord(farmControl(state))} `}npm run farm --`;
  return `
Steward is up, with a simulated farm and an emulated platform. Try:

  the API's documentation    ${api}/docs
  is it alive?               curl ${api}/health
  how is the farm?           curl ${api}/status${open}
  who is there?              curl ${api}/players${open}
  the invite code            curl ${api}/invite-code${open}
  the chat                   a WebSocket to ws://${loopback}:${controlApi}/ws
  the sidecar                curl http://${loopback}:${platformAuth}/health
  the farm                   ${farm} show
  what happens there         ${farm} follow
  a player comes             ${farm} join Robin

Ctrl-C stops everything; npm start -- --fresh begins anew, with another farm.

`;
}

/** As a shell reads it back whole; what needs no quotes stays without. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
