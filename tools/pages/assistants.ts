import { variables } from '@steward/mcp-server/configuration';
import { toolsetTable, withoutTool } from '@steward/mcp-server/tools/toolsets';
import { markdownTable } from '@steward/service-kit/configuration/variable';
import { asCode, type Places, table } from './places.ts';

/** What the page about assistants has from the MCP server's own tables. */
export const assistantPlaces: Places = {
  'variables of the MCP server': markdownTable(variables),
  'sets of tools': toolsetTable(),
  'what has no tool': table(
    ['Operation', 'Why'],
    Object.entries(withoutTool).map(([id, why]) => [asCode(id), why]),
  ),
};
