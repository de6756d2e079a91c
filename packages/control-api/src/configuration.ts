import {
  boolean,
  choice,
  headerSecret,
  integer,
  list,
  optionalUrl,
  port,
  secret,
  text,
} from '@steward/service-kit/configuration/kinds';
import { logVariables } from '@steward/service-kit/configuration/log-variables';
import type { Configuration, Variable } from '@steward/service-kit/configuration/variable';
import { gameMarkerName } from '@steward/shared/sidecar/game-marker';
import { chatVariables } from './chat/chat-variables.ts';
import { readName } from './game/modes/game-environment.ts';
import { hostName, normalOrigin } from './http/guards/browsers.ts';
import { addressOrNetwork } from './http/guards/client-address.ts';
import { sidecarVariables } from './sidecar/sidecar-variables.ts';

/**
 * The row that says what a started game waits for: by default the marker in the volume that both containers share, so that nobody
 * starts one on half a tree by having set nothing.
 */
const markerVariable: Variable<string> = {
  ...text({
    fallback: `/data/game/${gameMarkerName}`,
    allowed: 'a file; set but empty: the game brings its own files, and nothing is waited for',
    meaning:
      'With GAME_BRIDGE=spawn: the file that has to be there before the game is started; the download writes it last',
  }),
  emptyIsAValue: true,
};

/** Everything that the control API reads from its environment. */
export const variables = {
  API_ENABLED: boolean({ fallback: true, meaning: 'Whether the API listens at all' }),
  API_HOST: text({
    fallback: '0.0.0.0',
    allowed: 'an address of this machine',
    meaning: 'The address that the API listens on',
  }),
  API_PORT: port({ fallback: 8080, meaning: 'The port that the API listens on; 0 takes a free one' }),
  API_KEY: headerSecret({
    allowed: 'ASCII characters; `openssl rand -base64 32` makes a good one',
    meaning: 'The key that callers send; without one everybody who reaches the port may do everything',
  }),
  API_ALLOWED_ORIGINS: list({
    read: normalOrigin,
    allowed: 'origins such as https://panel.example, separated by commas',
    meaning: 'The sites whose pages may use the API from a browser',
  }),
  API_ALLOWED_HOSTS: list({
    read: hostName,
    allowed: 'host names without port, separated by commas',
    meaning:
      'Without a key: the names, besides addresses and localhost, by which a browser may reach the API',
  }),
  TRUSTED_PROXIES: list({
    read: addressOrNetwork,
    allowed: 'addresses and networks such as 172.16.0.0/12, separated by commas',
    meaning: 'The proxies whose X-Forwarded-For tells the address of a client',
  }),
  SETTINGS_PATH: text({
    fallback: '/data/settings/server-settings.json',
    allowed: 'a file that the service may write to',
    meaning: 'The server settings file; made with the defaults when it is not there',
  }),
  STATE_DIR: text({
    fallback: '/data/state',
    allowed: 'a directory that the service may write to',
    meaning: 'Where the service keeps what it must remember over restarts',
  }),
  GAME_BRIDGE: choice({
    fallback: 'listen',
    values: ['listen', 'spawn', 'existing'],
    meaning:
      'How the game comes: it dials in, the service starts it, or it is behind the API of an existing server',
  }),
  GAME_BRIDGE_LISTEN: text({
    fallback: '',
    allowed: 'unix:<path> or tcp:<host>:<port>; when empty unix:<STATE_DIR>/game.sock',
    meaning: 'Where the game dials in, with GAME_BRIDGE=listen',
  }),
  GAME_BRIDGE_SECRET: secret({
    allowed: 'any text; `openssl rand -base64 32` makes a good one',
    meaning: 'What a game that dials in over TCP must say; required there',
  }),
  GAME_COMMAND: text({
    fallback: '',
    allowed: 'a JSON array of texts, such as ["mono","Game.exe"]',
    meaning: 'The command that starts the game, with GAME_BRIDGE=spawn',
  }),
  GAME_ENV: list({
    read: readName,
    allowed: 'names, or their beginnings with `*` after them, such as MOD_*, separated by commas',
    meaning:
      'With GAME_BRIDGE=spawn: the variables that the game gets beside those of the system; never a secret of the services',
  }),
  GAME_MARKER: markerVariable,
  GAME_STOP_TIMEOUT: integer({
    fallback: 30,
    min: 1,
    max: 600,
    meaning: 'Seconds that a started game may take to save and exit when the service stops; then it is ended',
  }),
  EXISTING_URL: optionalUrl({
    meaning: 'The API of the existing server, with GAME_BRIDGE=existing: docs/migrating.md',
  }),
  EXISTING_API_KEY: headerSecret({
    allowed: "that server's API_KEY",
    meaning: 'What the existing server asks its callers for, where it does',
  }),
  ...chatVariables,
  ...sidecarVariables,
  ...logVariables,
};

export type ControlApiConfiguration = Configuration<typeof variables>;
