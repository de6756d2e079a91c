import type { Ports } from './members.ts';
import { loopback } from './ports.ts';

/** What a newcomer reads when everything is up. */
export function whatToTry({ controlApi, platformAuth }: Ports, key: string | undefined): string {
  const api = `http://${loopback}:${controlApi}`;
  return `
Steward is up. Try:

  the API's documentation    ${api}/docs
  is it alive?               curl ${api}/health
  the sidecar                curl http://${loopback}:${platformAuth}/health
${key ? '\nAPI_KEY is set: other paths want -H "Authorization: Bearer $API_KEY".\n' : ''}
Ctrl-C stops everything; npm start -- --fresh forgets it.

`;
}
