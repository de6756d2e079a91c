import {
  flag,
  headerSecret,
  items,
  kind,
  port,
  secretText,
  text,
  url,
} from '@steward/service-kit/configuration/kinds';
import { type Configuration, logVariables, variable } from '@steward/service-kit/configuration/variable';
import { choice, integer } from '@steward/shared/kinds';
import { accepted } from '@steward/shared/parsed';
import { gameMarkerName } from '@steward/shared/sidecar/download';
import { keepRule } from './backups/retention.ts';
import { chatVariables } from './chat/limits.ts';
import { readName } from './game/modes/game-command.ts';
import { hostName, normalOrigin } from './http/guards/browsers.ts';
import { addressOrNetwork } from './http/guards/client-address.ts';
import { readAllowed } from './webhooks/egress/allow-list.ts';

/**
 * The row that says what a started game waits for: by default the marker in the volume that both containers share, so that nobody
 * starts one on half a tree by having set nothing.
 */
const markerVariable = variable(
  text('a file; set but empty: the game brings its own files, and nothing is waited for'),
  {
    fallback: `/data/game/${gameMarkerName}`,
    means:
      'With GAME_BRIDGE=spawn: the file that has to be there before the game is started; the download writes it last',
    emptyIsAValue: true,
  },
);

const optionalPort = kind<number | undefined>({
  allowed: `${port.allowed}; empty: there is no page`,
  parse: (text) => (text === '' ? accepted(undefined) : port.parse(text)),
});

const sidecarFallback = 'http://platform-auth:3001';

const sidecarUrl = kind<URL | undefined>({
  allowed: `${url.allowed}; set but empty: there is no sidecar, and players join by direct IP`,
  parse: (text) => (text === '' ? accepted(undefined) : url.parse(text)),
});

/** Everything that the control API reads from its environment. */
export const variables = {
  API_ENABLED: variable(flag, { fallback: true, means: 'Whether the API listens at all' }),
  API_HOST: variable(text('an address of this machine'), {
    fallback: '0.0.0.0',
    means: 'The address that the API listens on',
  }),
  API_PORT: variable(port, {
    fallback: 8080,
    means: 'The port that the API listens on; 0 takes a free one',
  }),
  API_KEY: variable(headerSecret('ASCII characters; `openssl rand -base64 32` makes a good one'), {
    means: 'The key that callers send; without one everybody who reaches the port may do everything',
  }),
  API_ALLOWED_ORIGINS: variable(
    items({ allowed: 'origins such as https://panel.example, separated by commas', read: normalOrigin }),
    { fallback: [], means: 'The sites whose pages may use the API from a browser' },
  ),
  API_ALLOWED_HOSTS: variable(
    items({ allowed: 'host names without port, separated by commas', read: hostName }),
    {
      fallback: [],
      means:
        'Without a key: the names, besides addresses and localhost, by which a browser may reach the API',
    },
  ),
  DASHBOARD_PORT: variable(optionalPort, {
    fallback: undefined,
    fallbackText: '',
    means: 'The port that the page listens on, with the API below /api/; 0 takes a free one',
    emptyIsAValue: true,
  }),
  DASHBOARD_HOST: variable(text('an address of this machine; when empty API_HOST'), {
    fallback: '',
    means: 'The address that the page listens on',
  }),
  DASHBOARD_FARMS: variable(
    items({ allowed: 'origins such as https://farm2.example:8090, separated by commas', read: normalOrigin }),
    {
      fallback: [],
      means:
        'The pages of other farms, which this one shows beside its own; each of them names this page in API_ALLOWED_ORIGINS',
    },
  ),
  PUBLIC_STATUS: variable(flag, {
    fallback: false,
    means: 'Whether the page shows a card of the farm to everybody, below /public/; needs API_KEY',
  }),
  PUBLIC_CODE: variable(flag, { fallback: false, means: 'Whether that card has the invite code' }),
  INSTANCE_NAME: variable(text('a name of this farm’s server'), {
    fallback: '',
    means: 'What this server is called where there are several',
  }),
  TRUSTED_PROXIES: variable(
    items({
      allowed: 'addresses and networks such as 172.16.0.0/12, separated by commas',
      read: addressOrNetwork,
    }),
    { fallback: [], means: 'The proxies whose X-Forwarded-For tells the address of a client' },
  ),
  SETTINGS_PATH: variable(text('a file that the service may write to'), {
    fallback: '/data/settings/server-settings.json',
    means: 'The server settings file; made with the defaults when it is not there',
  }),
  STATE_DIR: variable(text('a directory that the service may write to'), {
    fallback: '/data/state',
    means: 'Where the service keeps what it must remember over restarts',
  }),
  EVENTS_KEEP_DAYS: variable(integer({ min: 1, max: 3_650 }), {
    fallback: 30,
    means: 'Days that events are kept, for bots and readers that come back',
  }),
  EVENTS_KEEP_COUNT: variable(integer({ min: 1_000, max: 10_000_000 }), {
    fallback: 1_000_000,
    means: 'Events that are kept at most; a million take about 250 MB of STATE_DIR',
  }),
  SAMPLES_KEEP_DAYS: variable(integer({ min: 1, max: 3_650 }), {
    fallback: 400,
    means: 'Days that a sample of each minute is kept, for plots; 400 take less than 20 MB of STATE_DIR',
  }),
  AUDIT_KEEP_DAYS: variable(integer({ min: 1, max: 3_650 }), {
    fallback: 400,
    means:
      'Days that the audit is kept, who did what; it takes about 350 MB of STATE_DIR at the most, of which talk and refusals have their own part',
  }),
  GAME_SAVES_DIR: variable(text('the directory in which the game has a folder for each save'), {
    fallback: '',
    means: 'Where the game saves; without it there are no backups',
  }),
  BACKUP_DIR: variable(text('a directory that the service may write to, best on another disk'), {
    fallback: '',
    means: 'Where backups are kept; without it there are none',
  }),
  BACKUP_KEEP: variable(keepRule, {
    fallback: { d: 7, w: 4, m: 6 },
    fallbackText: '7d4w6m',
    means: 'Which backups stay: the newest of each of so many days, weeks and months; empty keeps all',
    emptyIsAValue: true,
  }),
  BACKUP_BEFORE_DELETE: variable(flag, {
    fallback: false,
    means: 'Whether a farmhand is deleted only once a backup was made',
  }),
  GAME_BRIDGE: variable(choice(['listen', 'spawn', 'existing']), {
    fallback: 'listen',
    means:
      'How the game comes: it dials in, the service starts it, or it is behind the API of an existing server',
  }),
  GAME_BRIDGE_LISTEN: variable(
    text('unix:<path> or tcp:<host>:<port>; when empty unix:<STATE_DIR>/game.sock'),
    { fallback: '', means: 'Where the game dials in, with GAME_BRIDGE=listen' },
  ),
  GAME_BRIDGE_SECRET: variable(secretText('any text; `openssl rand -base64 32` makes a good one'), {
    means: 'What a game that dials in over TCP must say; required there',
  }),
  GAME_COMMAND: variable(text('a JSON array of texts, such as ["mono","Game.exe"]'), {
    fallback: '',
    means: 'The command that starts the game, with GAME_BRIDGE=spawn',
  }),
  GAME_ENV: variable(
    items({
      allowed: 'names, or their beginnings with `*` after them, such as MOD_*, separated by commas',
      read: readName,
    }),
    {
      fallback: [],
      means:
        'With GAME_BRIDGE=spawn: the variables that the game gets beside those of the system; never a secret of the services',
    },
  ),
  GAME_MARKER: markerVariable,
  GAME_STOP_TIMEOUT: variable(integer({ min: 1, max: 600 }), {
    fallback: 30,
    means: 'Seconds that a started game may take to save and exit when the service stops; then it is ended',
  }),
  STOP_DRAIN_SECONDS: variable(integer({ min: 0, max: 3_600 }), {
    fallback: 0,
    means:
      'Seconds in which players are seen off when the service is told to stop: they are told, disconnected, and the farm is saved',
  }),
  EXISTING_URL: variable(url, {
    means: 'The API of the existing server, with GAME_BRIDGE=existing: docs/migrating.md',
  }),
  EXISTING_API_KEY: variable(headerSecret("that server's API_KEY"), {
    means: 'What the existing server asks its callers for, where it does',
  }),
  WEBHOOK_ALLOW: variable(
    items({
      allowed:
        'host names, addresses and networks such as ntfy.lan,192.168.1.0/24, separated by commas; no port, no `*`',
      read: readAllowed,
    }),
    {
      fallback: [],
      means: 'Where webhooks may go besides https on public addresses: docs/webhooks.md',
    },
  ),
  ...chatVariables,
  PLATFORM_AUTH_URL: variable(sidecarUrl, {
    fallback: new URL(sidecarFallback),
    fallbackText: sidecarFallback,
    means: 'Where the sidecar is, which gives the app tickets that invite codes need',
    emptyIsAValue: true,
  }),
  PLATFORM_AUTH_SECRET: variable(headerSecret("the sidecar's PLATFORM_AUTH_SECRET"), {
    means: 'What the sidecar asks its callers for, where it does',
  }),
  ...logVariables,
};

export type ControlApiConfiguration = Configuration<typeof variables>;
