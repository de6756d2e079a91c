import { variables as farmVariables } from '@steward/control-api/configuration';
import { variables as sidecarVariables } from '@steward/platform-auth/configuration';
import type { Variable, VariableTable } from '@steward/service-kit/configuration/variable';
import { readyLine } from '@steward/service-kit/log/ready-line';
import { asCode, type Places, table } from './places.ts';

/** The one directory that a panel gives a server to write to. */
const home = '/home/container';

/** Where a panel's administrator mounts the sidecar's game for a farm: below its home no panel mounts anything. */
const gameMount = '/data/game';

interface Offer {
  /** What the panel calls it. */
  readonly title: string;
  /** Where it is another than the service's own default. */
  readonly value?: string;
  /** Where they are others than follow from the variable's kind. */
  readonly rules?: string;
  /** Who has the server may change it, and not the panel's administrator alone. */
  readonly isTheirs?: true;
}

interface EggDeclaration {
  readonly name: string;
  readonly description: string;
  readonly images: Readonly<Record<string, string>>;
  readonly table: VariableTable;
  readonly offers: Readonly<Record<string, Offer>>;
  /** What nobody reads in the panel's files. */
  readonly denied: readonly string[];
  readonly install: readonly string[];
}

const needed = 'required|string';
const published = 'required|integer|between:1,65535';

const common = {
  DATA_DIR: { title: 'Data directory', value: home, rules: `required|string|in:${home}` },
  INSTANCE_NAME: { title: 'Name of this farm', isTheirs: true },
  LOG_LEVEL: { title: 'Log level', isTheirs: true },
} as const satisfies Record<string, Offer>;

const sidecar: EggDeclaration = {
  name: 'Steward: sidecar',
  description:
    'Holds the platform account of one farm: tickets, the lobby, the download of the game. A server of its own, so that nobody who works on the farm can read the session.',
  images: { 'Built on this node': '~steward-platform-auth' },
  table: sidecarVariables,
  offers: {
    PLATFORM_USERNAME: { title: 'Platform account' },
    PLATFORM_PASSWORD: { title: 'Password of the account' },
    PLATFORM_REFRESH_TOKEN: { title: 'Refresh token to begin with' },
    PLATFORM_AUTH_SECRET: { title: 'Secret shared with the farm', rules: needed },
    PORT: { title: 'Port for the farm', rules: published },
    PLATFORM_LOGIN_SPREAD: { title: 'Seconds over which logins spread' },
    PLATFORM_DOWNLOAD: { title: 'Download the game' },
    GAME_DIR: { title: 'Where the game is', value: `${home}/game` },
    PLATFORM_KEEP_LANGUAGES: { title: 'Languages that are kept', isTheirs: true },
    PLATFORM_PROXY: { title: 'Proxy to the platform' },
    ...common,
  },
  denied: ['platform-session/**'],
  install: [
    'cd /mnt/server',
    'mkdir -p platform-session game',
    'chmod 700 platform-session',
    'chown --reference=. --no-dereference platform-session game',
    'echo "Give this server an account: PLATFORM_REFRESH_TOKEN, or platform-auth setup on the node. docs/panels.md has both."',
  ],
};

const farm: EggDeclaration = {
  name: 'Steward: farm',
  description:
    'One farm: the control API with its page, and the game that it starts. Needs a server of the egg "Steward: sidecar" on the same node for invite codes.',
  images: {
    'Steward with your game': '~my-steward-server',
    'Steward alone': '~steward-server',
  },
  table: farmVariables,
  offers: {
    API_KEY: { title: 'API key', rules: needed },
    DASHBOARD_PORT: { title: 'Port of the page: the allocation', value: '8090', rules: published },
    API_PORT: { title: 'Port of the API alone', rules: published },
    PLATFORM_AUTH_URL: { title: 'Where the sidecar is', value: '' },
    PLATFORM_AUTH_SECRET: { title: 'Secret shared with the sidecar' },
    GAME_BRIDGE: { title: 'How the game comes', value: 'spawn' },
    GAME_COMMAND: { title: 'Command that starts the game' },
    GAME_ENV: { title: 'Variables for the game' },
    GAME_MARKER: {
      title: 'File that says that the game is whole',
      value: `${gameMount}/.download-manifest-413150`,
    },
    GAME_BRIDGE_LISTEN: { title: 'Address that a game connects to' },
    GAME_BRIDGE_SECRET: { title: 'Secret of a game that connects' },
    GAME_STOP_TIMEOUT: { title: 'Seconds in which the game exits', value: '7' },
    STOP_DRAIN_SECONDS: { title: 'Seconds to drain before a stop' },
    GAME_SAVES_DIR: { title: 'Where the game saves', value: `${home}/saves` },
    BACKUP_DIR: { title: 'Where backups are kept', value: `${home}/backups` },
    BACKUP_KEEP: { title: 'Which backups stay', isTheirs: true },
    PUBLIC_STATUS: { title: 'Public card of the farm', isTheirs: true },
    PUBLIC_CODE: { title: 'Invite code on that card', isTheirs: true },
    DASHBOARD_FARMS: { title: 'Pages of other farms', isTheirs: true },
    API_ALLOWED_ORIGINS: { title: 'Sites that may use the API', isTheirs: true },
    TRUSTED_PROXIES: { title: 'Reverse proxies in front' },
    ...common,
  },
  denied: [],
  install: [
    'cd /mnt/server',
    'mkdir -p state settings saves backups',
    'chown --reference=. --no-dereference state settings saves backups',
    'echo "Open the page on this server\'s allocation once it runs; it asks for API_KEY."',
  ],
};

const declarations = {
  'deploy/pelican/egg-steward-sidecar.json': sidecar,
  'deploy/pelican/egg-steward-farm.json': farm,
} as const satisfies Record<string, EggDeclaration>;

/** Each egg's file, in the format of Pterodactyl that Pelican takes as well. */
export const eggFiles: readonly (readonly [string, string])[] = Object.entries(declarations).map(
  ([path, egg]) => [path, `${JSON.stringify(eggOf(egg), undefined, 2)}\n`],
);

export const eggPlaces: Places = {
  'ready line': asCode(readyLine),
  'variables of the sidecar’s egg': variablesTable(sidecar),
  'variables of the farm’s egg': variablesTable(farm),
};

function eggOf(egg: EggDeclaration): object {
  return {
    _comment: 'Made by `npm run generate` from the services’ own variables: docs/panels.md',
    meta: { version: 'PTDL_v2', update_url: null },
    exported_at: '2026-11-23T00:00:00+00:00',
    name: egg.name,
    author: 'steward@example.invalid',
    description: egg.description,
    features: null,
    docker_images: egg.images,
    file_denylist: egg.denied,
    // For the panel to show: the daemon starts the image as it is, and that serves.
    startup: 'serve',
    config: {
      files: '{}',
      startup: JSON.stringify({ done: readyLine }),
      logs: '{}',
      stop: '^C',
    },
    scripts: {
      installation: {
        script: ['#!/bin/bash', 'set -eu', ...egg.install, ''].join('\n'),
        container: 'ghcr.io/ptero-eggs/installers:debian',
        entrypoint: 'bash',
      },
    },
    variables: offered(egg).map(([name, variable, offer]) => ({
      name: offer.title,
      description: `${variable.means} (${variable.kind.allowed}).`,
      env_variable: name,
      default_value: defaultOf(variable, offer),
      user_viewable: !variable.kind.secret,
      user_editable: offer.isTheirs === true,
      rules: rulesOf(variable, offer),
      field_type: 'text',
    })),
  };
}

function offered({ table: all, offers }: EggDeclaration): [string, Variable<unknown>, Offer][] {
  return Object.entries(offers).map(([name, offer]) => {
    const variable = all[name];
    if (variable === undefined) throw new Error(`no service reads ${name}, which an egg offers`);
    return [name, variable, offer];
  });
}

function defaultOf(variable: Variable<unknown>, offer: Offer): string {
  return offer.value ?? variable.fallbackText;
}

/** What the panel holds a value to, in its own words. */
function rulesOf(variable: Variable<unknown>, offer: Offer): string {
  if (offer.rules !== undefined) return offer.rules;
  const { type, enum: values, minimum, maximum } = variable.kind.json;
  if (Array.isArray(values)) return `required|string|in:${values.join(',')}`;
  if (type === 'boolean') return 'required|string|in:true,false';
  if (type === 'integer') return `required|integer|between:${minimum},${maximum}`;
  return 'nullable|string';
}

function variablesTable(egg: EggDeclaration): string {
  return table(
    ['Variable', 'In the panel', 'Default', 'Rules', 'Changed by'],
    offered(egg).map(([name, variable, offer]) => [
      asCode(name),
      offer.title,
      defaultOf(variable, offer) === '' ? 'none' : asCode(defaultOf(variable, offer)),
      asCode(rulesOf(variable, offer).replaceAll('|', '\\|')),
      changedBy(variable, offer),
    ]),
  );
}

function changedBy({ kind }: Variable<unknown>, { isTheirs }: Offer): string {
  if (kind.secret) return 'administrators; nobody else sees it';
  return isTheirs ? 'whoever has the server' : 'administrators';
}
