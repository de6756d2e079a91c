import {
  baseUrl,
  flag,
  headerSecret,
  items,
  kind,
  port,
  secretText,
  text,
  url,
} from '@steward/service-kit/configuration/kinds';
import {
  type Configuration,
  dataVariables,
  instanceVariables,
  logVariables,
  variable,
} from '@steward/service-kit/configuration/variable';
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
  text('a file; set but empty: the game brings its own files, and the service does not wait'),
  {
    fallback: `/data/game/${gameMarkerName}`,
    means: 'With GAME_BRIDGE=spawn: the game is started once this file exists; the download writes it last',
    emptyIsAValue: true,
    isBelowData: true,
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
    means: 'The API key. Without one, everybody who can reach the port can do everything',
  }),
  API_ALLOWED_ORIGINS: variable(
    items({ allowed: 'origins such as https://panel.example, separated by commas', read: normalOrigin }),
    { fallback: [], means: 'Web sites whose pages may use the API from a browser' },
  ),
  API_ALLOWED_HOSTS: variable(
    items({ allowed: 'host names without port, separated by commas', read: hostName }),
    {
      fallback: [],
      means:
        'Without a key: host names that a browser may use to reach the API, besides IP addresses and localhost',
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
        'The pages of other farms to show on this page; each of them must list this page in API_ALLOWED_ORIGINS',
    },
  ),
  PUBLIC_STATUS: variable(flag, {
    fallback: false,
    means: 'Whether the page shows a card of the farm to everybody, below /public/; needs API_KEY',
  }),
  PUBLIC_CODE: variable(flag, { fallback: false, means: 'Whether that card has the invite code' }),
  ...instanceVariables,
  TRUSTED_PROXIES: variable(
    items({
      allowed:
        'addresses and networks such as 172.16.0.0/12, separated by commas; not /0, which is everybody',
      read: addressOrNetwork,
    }),
    { fallback: [], means: 'The proxies that are trusted to send the client’s address in X-Forwarded-For' },
  ),
  ...dataVariables,
  SETTINGS_PATH: variable(text('a file that the service may write to'), {
    fallback: '/data/settings/server-settings.json',
    isBelowData: true,
    means: 'The server settings file; created with the defaults if it does not exist',
  }),
  STATE_DIR: variable(text('a directory that the service may write to'), {
    fallback: '/data/state',
    isBelowData: true,
    means: 'Where the service stores its data',
  }),
  EVENTS_KEEP_DAYS: variable(integer({ min: 1, max: 3_650 }), {
    fallback: 30,
    means: 'How many days events are kept',
  }),
  EVENTS_KEEP_COUNT: variable(integer({ min: 1_000, max: 10_000_000 }), {
    fallback: 1_000_000,
    means: 'How many events are kept at most; a million take about 250 MB of STATE_DIR',
  }),
  SAMPLES_KEEP_DAYS: variable(integer({ min: 1, max: 3_650 }), {
    fallback: 400,
    means:
      'How many days the samples for plots are kept, one a minute; 400 days take less than 20 MB of STATE_DIR',
  }),
  AUDIT_KEEP_DAYS: variable(integer({ min: 1, max: 3_650 }), {
    fallback: 400,
    means: 'How many days the audit (who did what) is kept; it takes at most about 350 MB of STATE_DIR',
  }),
  GAME_SAVES_DIR: variable(text('the directory in which the game stores a folder for each save'), {
    fallback: '',
    means: 'Where the game saves; without it there are no backups',
  }),
  BACKUP_DIR: variable(text('a directory that the service may write to, best on another disk'), {
    fallback: '',
    means: 'Where backups are stored; without it there are none',
  }),
  BACKUP_KEEP: variable(keepRule, {
    fallback: { d: 7, w: 4, m: 6 },
    fallbackText: '7d4w6m',
    means: 'Which backups are kept: the newest of each of this many days, weeks and months; empty keeps all',
    emptyIsAValue: true,
  }),
  BACKUP_BEFORE_DELETE: variable(flag, {
    fallback: false,
    means: 'Whether to make a backup before a farmhand is deleted',
  }),
  GAME_BRIDGE: variable(choice(['listen', 'spawn', 'existing']), {
    fallback: 'listen',
    means:
      'How the game is connected: `listen`: it connects to this service; `spawn`: this service starts it; `existing`: through the API of an existing server',
  }),
  GAME_BRIDGE_LISTEN: variable(
    text('unix:<path> or tcp:<host>:<port>; when empty unix:<STATE_DIR>/game.sock'),
    { fallback: '', means: 'With GAME_BRIDGE=listen: the address that the game connects to' },
  ),
  GAME_BRIDGE_SECRET: variable(secretText('any text; `openssl rand -base64 32` makes a good one'), {
    means: 'The shared secret of a game that connects over TCP; required there',
  }),
  GAME_COMMAND: variable(text('a JSON array of texts, such as ["mono","Game.exe"]'), {
    fallback: '',
    means: 'With GAME_BRIDGE=spawn: the command that starts the game',
  }),
  GAME_ENV: variable(
    items({
      allowed: 'names, or their beginnings with `*` after them, such as MOD_*, separated by commas',
      read: readName,
    }),
    {
      fallback: [],
      means:
        'With GAME_BRIDGE=spawn: environment variables to pass to the game; secrets of the services are never passed',
    },
  ),
  GAME_MARKER: markerVariable,
  GAME_STOP_TIMEOUT: variable(integer({ min: 1, max: 600 }), {
    fallback: 30,
    means: 'Seconds that a started game has to save and exit when the service stops; after that it is killed',
  }),
  STOP_DRAIN_SECONDS: variable(integer({ min: 0, max: 3_600 }), {
    fallback: 0,
    means: 'Seconds to warn players, disconnect them and save the farm when the service is told to stop',
  }),
  EXISTING_URL: variable(baseUrl, {
    means: 'The API of the existing server, with GAME_BRIDGE=existing: docs/migrating.md',
  }),
  EXISTING_API_KEY: variable(headerSecret("that server's API_KEY"), {
    means: 'The API key of the existing server, which does not start without one',
  }),
  WEBHOOK_ALLOW: variable(
    items({
      allowed:
        'host names, addresses and networks such as ntfy.lan,192.168.1.0/24, separated by commas; no port, no `*`',
      read: readAllowed,
    }),
    {
      fallback: [],
      means: 'Where webhooks may go, besides https on public addresses: docs/webhooks.md',
    },
  ),
  ...chatVariables,
  PLATFORM_AUTH_URL: variable(sidecarUrl, {
    fallback: new URL(sidecarFallback),
    fallbackText: sidecarFallback,
    means: 'The URL of the sidecar, which invite codes need',
    emptyIsAValue: true,
  }),
  PLATFORM_AUTH_SECRET: variable(headerSecret("the sidecar's PLATFORM_AUTH_SECRET"), {
    means: 'The key of the sidecar, if it has one',
  }),
  ...logVariables,
};

export type ControlApiConfiguration = Configuration<typeof variables>;
