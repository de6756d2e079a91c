import { variables as controlApi } from '@steward/control-api/configuration';
import { variables as platformAuth } from '@steward/platform-auth/configuration';
import {
  environmentExample,
  logVariables,
  markdownTable,
  type VariableTable,
} from '@steward/service-kit/configuration/variable';
import { composeExample, composeTable, fixedByCompose } from './compose-variables.ts';

const sections: readonly { title: string; about: string; table: VariableTable }[] = [
  { title: 'control-api', about: 'REST and WebSocket, in front of the game.', table: own(controlApi) },
  { title: 'platform-auth', about: 'The sidecar with the platform account.', table: own(platformAuth) },
  { title: 'Both', about: 'Each service reads these for itself.', table: logVariables },
];

export function configurationPage(): string {
  const tables = sections.map(
    ({ title, about, table }) => `## ${title}\n\n${about}\n\n${markdownTable(table)}`,
  );
  return `# Configuration

Everything is configured by environment variables. Each service prints its own with \`--help\`.

- An empty variable counts as unset, unless its row says otherwise.
- A secret \`X\` can come from the file that \`X_FILE\` names, as Docker secrets do. Setting both is an error.
- A bad value stops the service with exit code 1 and one line that names the variable, what is wrong with its
  value, and what is allowed. All bad values are shown at once.

${tables.join('\n\n')}

## docker-compose.yml

The compose file reads these itself, from the shell or from \`.env\` beside it.

${composeTable}
`;
}

export function environmentFile(): string {
  const parts = sections.map(
    ({ title, table }) =>
      `# --- ${title}\n\n${environmentExample(only(table, (name) => !fixedByCompose.has(name)))}`,
  );
  const fixed = sections.map(({ table }) =>
    environmentExample(only(table, (name) => fixedByCompose.has(name))),
  );
  return `# Copy to .env and uncomment what you change. docs/configuration.md says more.
# With Docker API_PORT is the port on this machine; in its container the API listens on 8080.

${parts.join('\n\n')}

# --- docker-compose.yml itself

${composeExample}

# --- Without Docker alone: the compose file sets these by itself

${fixed.filter((text) => text !== '').join('\n\n')}
`;
}

/** A service's rows without the ones that both have. */
function own(table: VariableTable): VariableTable {
  return only(table, (name) => !Object.hasOwn(logVariables, name));
}

function only(table: VariableTable, isMeant: (name: string) => boolean): VariableTable {
  return Object.fromEntries(Object.entries(table).filter(([name]) => isMeant(name)));
}
