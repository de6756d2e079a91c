import { baseUrl, flag, headerSecret, items } from '@steward/service-kit/configuration/kinds';
import { variable } from '@steward/service-kit/configuration/variable';
import { allSets, isToolsetName, type ToolsetName, toolsetNames, usualSets } from './tools/toolsets.ts';

const sets = items<ToolsetName | typeof allSets>({
  allowed: `one or more of ${toolsetNames.join(', ')}, separated by commas, or ${allSets}`,
  read: (item) => (item === allSets || isToolsetName(item) ? item : undefined),
});

/** Everything that the MCP server reads from its environment. */
export const variables = {
  STEWARD_URL: variable(baseUrl, {
    fallback: new URL('http://127.0.0.1:8080'),
    fallbackText: 'http://127.0.0.1:8080',
    means: 'The address of the control API; behind a proxy, with its path there',
  }),
  STEWARD_KEY: variable(headerSecret('a key of the control API, from `POST /keys`'), {
    means:
      'The key that the tools use; it decides which tools there are. Create a separate one; none if the control API has no API_KEY',
  }),
  MCP_TOOLSETS: variable(sets, {
    fallback: usualSets,
    fallbackText: usualSets.join(','),
    means: 'Which sets of tools there are',
  }),
  MCP_READ_ONLY: variable(flag, {
    fallback: false,
    means: 'Whether there are only tools that change nothing; overrides everything else',
  }),
  MCP_PLAYER_TEXT: variable(flag, {
    fallback: true,
    means: 'Whether the assistant sees players’ messages and names; with false it sees only ids',
  }),
};
