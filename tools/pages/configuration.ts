import { variables as controlApi } from '@steward/control-api/configuration';
import { variables as discordBot } from '@steward/discord-bot/configuration';
import { variables as mcpServer } from '@steward/mcp-server/configuration';
import { variables as platformAuth } from '@steward/platform-auth/configuration';
import {
  dataVariables,
  environmentExample,
  instanceVariables,
  logVariables,
  markdownTable,
  type VariableTable,
} from '@steward/service-kit/configuration/variable';
import { asCode, type Places, table } from './places.ts';

/** What both services have. */
const common: VariableTable = { ...instanceVariables, ...dataVariables, ...logVariables };

const sections = {
  'control-api': own(controlApi),
  'platform-auth': own(platformAuth),
  Both: common,
} as const satisfies Readonly<Record<string, VariableTable>>;

/** Both reach a farm by variables of the same names. */
const { STEWARD_URL: _url, STEWARD_KEY: _key, ...mcpOnly } = mcpServer;

const every: Readonly<Record<string, VariableTable>> = {
  ...sections,
  'discord-bot': own(discordBot),
  'MCP server': mcpOnly,
};

interface ComposeVariable {
  readonly meaning: string;
  /** Undefined where it has to be set by whoever uses that part. */
  readonly fallback: string | undefined;
}

/** What docker-compose.yml reads for itself, beside what it passes on to the services. */
export const composeVariables: Readonly<Record<string, ComposeVariable>> = {
  SERVER_IMAGE: {
    meaning: "The control API's image: built here under this name, or a published one",
    fallback: 'steward-server',
  },
  PLATFORM_AUTH_IMAGE: {
    meaning: "The sidecar's image: built here under this name, or a published one",
    fallback: 'steward-platform-auth',
  },
  DISCORD_BOT_IMAGE: {
    meaning: "Profile discord: the bot's image: built here under this name, or a published one",
    fallback: 'steward-discord-bot',
  },
  MCP_IMAGE: {
    meaning: "Profile mcp: the MCP server's image: built here under this name, or a published one",
    fallback: 'steward-mcp',
  },
  API_BIND: {
    meaning:
      'The address of this machine on which the API and the page are reached; 0.0.0.0 is every one. Set API_KEY first',
    fallback: '127.0.0.1',
  },
  DEMO_API_PORT: { meaning: "Profile demo: the port of the demo's API on this machine", fallback: '8081' },
  DEMO_DASHBOARD_PORT: {
    meaning: "Profile demo: the port of the demo's page on this machine",
    fallback: '8091',
  },
  DEMO_API_KEY: {
    meaning: 'Profile demo: the key that its callers send; empty, none is asked for',
    fallback: '',
  },
  FARM_VISITORS: {
    meaning: 'Profile demo: how many people come, talk and go by themselves, 0 to 20',
    fallback: '8',
  },
  DEMO_FARM_IMAGE: {
    meaning: 'Profile demo: the name of the image that is built',
    fallback: 'steward-demo-farm',
  },
  DEMO_PLATFORM_IMAGE: {
    meaning: 'Profile demo: the name of the image that is built',
    fallback: 'steward-demo-platform',
  },
  PROMETHEUS_PORT: {
    meaning: 'Profile monitoring: the port of Prometheus on this machine',
    fallback: '9090',
  },
  PROMETHEUS_IMAGE: { meaning: 'Profile monitoring: its image', fallback: 'prom/prometheus:v3.5.0' },
  GRAFANA_PORT: { meaning: 'Profile monitoring: the port of Grafana on this machine', fallback: '3000' },
  GRAFANA_PASSWORD: {
    meaning: 'Profile monitoring: what the user admin logs in to Grafana with, at the first start',
    fallback: 'admin',
  },
  GRAFANA_IMAGE: { meaning: 'Profile monitoring: its image', fallback: 'grafana/grafana:12.0.0' },
  EXISTING_IMAGE: {
    meaning:
      'Profile existing: the image of the existing server, with its tag; it has to be set (docs/migrating.md)',
    fallback: undefined,
  },
  EXISTING_VNC_PASSWORD: {
    meaning: "Profile existing: that server's VNC_PASSWORD, without which it does not start",
    fallback: '',
  },
  EXISTING_SERVER_PASSWORD: {
    meaning: "Profile existing: that server's SERVER_PASSWORD, which players type; empty, none is asked for",
    fallback: '',
  },
  EXISTING_GAME_PORT: {
    meaning: 'Profile existing: the UDP port on which players come in by direct IP',
    fallback: '24642',
  },
  EXISTING_QUERY_PORT: { meaning: 'Profile existing: the UDP port of its relay', fallback: '27015' },
};

/** What the services read and the compose file says by itself: in an `.env` beside it these would do nothing. */
export const fixedByCompose: ReadonlySet<string> = new Set([
  'API_HOST',
  'DASHBOARD_HOST',
  'DATA_DIR',
  'SETTINGS_PATH',
  'STATE_DIR',
  'HOST',
  'PORT',
]);

/** What the compose file says where nobody else does: it is made for players, who are seen off, and knows where the API is. */
export const otherByCompose: Readonly<Record<string, string>> = {
  STOP_DRAIN_SECONDS: '90',
  DASHBOARD_PORT: '8090',
  STEWARD_URL: 'http://server:8080',
};

export const configurationPlaces: Places = {
  ...Object.fromEntries(
    Object.entries(sections).map(([title, rows]) => [`variables of ${title}`, markdownTable(rows)]),
  ),
  'what the compose file sets': `The compose file sets ${[...fixedByCompose].map(asCode).join(', ')} by itself: in \`.env\` they do nothing. With Docker, unless you set them, ${Object.entries(
    otherByCompose,
  )
    .map(([name, value]) => `${asCode(name)} is ${asCode(value)}`)
    .join(', ')}.`,
  'variables of docker-compose.yml': table(
    ['Variable', 'Meaning', 'Default'],
    Object.entries(composeVariables).map(([name, { meaning, fallback = '' }]) => [
      asCode(name),
      meaning,
      fallback === '' ? 'none' : asCode(fallback),
    ]),
  ),
};

/** For the page of the bot, who has all its rows in one place. */
export const discordPlaces: Places = { 'variables of discord-bot': markdownTable(discordBot) };

/** `.env.example`: every variable, with its default. */
export function environmentFile(): string {
  const parts = Object.entries(every).map(
    ([title, rows]) =>
      `# --- ${title}\n\n${environmentExample(only(rows, (name) => !fixedByCompose.has(name)))}`,
  );
  const fixed = Object.values(every).map((rows) =>
    environmentExample(only(rows, (name) => fixedByCompose.has(name))),
  );
  const compose = Object.entries(composeVariables).map(
    ([name, { meaning, fallback = '' }]) => `# ${meaning}.\n#${name}=${fallback}`,
  );
  return `# Copy to .env and uncomment what you change. docs/configuration.md says more.
# With Docker API_PORT and DASHBOARD_PORT are ports on this machine; in its container the API listens on 8080, the page on 8090.
# With Docker an empty DASHBOARD_PORT does not switch the page off, and HTTPS_PROXY, ALL_PROXY and NO_PROXY count in capitals only.
${Object.entries(otherByCompose)
  .map(([name, value]) => `# With Docker ${name} is ${value} where nothing else is said.`)
  .join('\n')}

${parts.join('\n\n')}

# --- docker-compose.yml itself

${compose.join('\n\n')}

# --- Without Docker alone: the compose file sets these by itself

${fixed.filter((text) => text !== '').join('\n\n')}
`;
}

/** A service's rows without the ones that both have. */
function own(rows: VariableTable): VariableTable {
  return only(rows, (name) => !Object.hasOwn(common, name));
}

function only(rows: VariableTable, isMeant: (name: string) => boolean): VariableTable {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => isMeant(name)));
}
