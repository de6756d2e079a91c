import { farmControl, type Ports } from './members.ts';
import { defaultState } from './options.ts';
import { loopback } from './ports.ts';

export interface KeyToTry {
  /** Whether the API asks for one. */
  readonly isAsked: boolean;
  /** It, where it may be shown: on a terminal. */
  readonly shown?: string | undefined;
  /** Whether it was made for this start. */
  readonly isNew?: boolean;
}

/** What a newcomer reads first, as soon as there is a page. */
export function whereThePageIs({ dashboard }: Ports, { shown, isNew = false }: KeyToTry): string {
  // A browser sends nobody what stands behind the #, and the page takes it out of the address at once.
  const key = shown === undefined ? '' : `#key=${encodeURIComponent(shown)}`;
  const own =
    isNew && shown !== undefined
      ? `
  The key, shown only this once, for the commands below:
  export API_KEY=${shellWord(shown)}
`
      : '';
  return `
Steward is up: a simulated farm, an emulated platform.

  Open the farm in your browser:
  http://${loopback}:${dashboard}/${key}
${own}
`;
}

/** What players type in to join. */
export interface Codes {
  readonly platform: string;
  readonly network: string;
}

export interface Folders {
  /** What `--state` names. */
  readonly state: string;
  /** Where this farm is: the same, or a folder in it for another port than the usual. */
  readonly kept: string;
}

/** What a newcomer reads once players can join, or once that takes too long: `why` then says what keeps them out. */
export function whatToTry(
  { controlApi, platformAuth }: Ports,
  { state, kept }: Folders,
  { isAsked }: KeyToTry,
  joining: Codes | { readonly why: string },
): string {
  const api = `http://${loopback}:${controlApi}`;
  const open = isAsked ? ' -H "Authorization: Bearer $API_KEY"' : '';
  const farm = `${kept === defaultState ? '' : `FARM_CONTROL=${shellWord(farmControl(kept))} `}npm run farm --`;
  const port = kept === state ? '' : `API_PORT=${controlApi} `;
  const folder = state === defaultState ? '' : ` --state ${shellWord(state)}`;
  const join =
    'why' in joining
      ? `Players cannot join yet: ${joining.why}`
      : `Players join with the code ${joining.platform} or ${joining.network}`;
  return `
${join}

Try these in another terminal:

  # How is the farm, and who is on it?
  curl ${api}/status${open}
  curl ${api}/players${open}

  # Everything that happens, as it happens, until Ctrl-C
  curl -N "${api}/events/stream"${open}

  # Send a player to the farm, and look at the farm itself
  ${farm} join Robin
  ${farm} show

  API documentation  ${api}/docs
  Chat (WebSocket)   ws://${loopback}:${controlApi}/ws
  Sidecar            http://${loopback}:${platformAuth}/health

Ctrl-C stops everything. To start over with a new farm:
${port}npm start -- --fresh${folder}

`;
}

/** As a shell reads it back whole; what needs no quotes stays without. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
