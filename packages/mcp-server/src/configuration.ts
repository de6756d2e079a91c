import { baseUrl, flag, headerSecret, items } from '@steward/service-kit/configuration/kinds';
import { variable } from '@steward/service-kit/configuration/variable';
import { allSets, isToolsetName, type ToolsetName, toolsetNames, usualSets } from './tools/toolsets.ts';

const sets = items<ToolsetName | typeof allSets>({
  allowed: `one or more of ${toolsetNames.join(', ')}, between commas, or ${allSets}`,
  read: (item) => (item === allSets || isToolsetName(item) ? item : undefined),
});

/** Everything that the MCP server reads from its environment. */
export const variables = {
  STEWARD_URL: variable(baseUrl, {
    fallback: new URL('http://127.0.0.1:8080'),
    fallbackText: 'http://127.0.0.1:8080',
    means: 'Where the control API is; behind a proxy with the path that it has there',
  }),
  STEWARD_KEY: variable(headerSecret('a key of the control API, as `POST /keys` shows it once'), {
    means:
      'The key that the tools use: there are tools for what it is good for. Best one of its own; none where the control API has no API_KEY',
  }),
  MCP_TOOLSETS: variable(sets, {
    fallback: usualSets,
    fallbackText: usualSets.join(','),
    means: 'Which sets of tools there are',
  }),
  MCP_READ_ONLY: variable(flag, {
    fallback: false,
    means: 'Whether there are tools that look alone; it wins over everything else',
  }),
  MCP_PLAYER_TEXT: variable(flag, {
    fallback: true,
    means:
      'Whether the assistant is shown what players say and what they are called; with false they are ids',
  }),
};
