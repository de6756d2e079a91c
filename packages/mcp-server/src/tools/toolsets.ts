import { type GroupName, isWrite } from '@steward/shared/api/endpoint';
import { type EndpointId, endpointIds, endpoints } from '@steward/shared/api/endpoints';

interface Toolset {
  readonly means: string;
  /** Of the API's declarations: what is in them is in the set. */
  readonly groups?: readonly GroupName[];
  /** What is in this set rather than in that of its group. */
  readonly operations?: readonly EndpointId[];
}

/** What an operator chooses tools by. */
export const toolsets = {
  farm: {
    means: 'The state of the farm, its clock, saving, and drains',
    groups: ['Server', 'Time'],
  },
  players: {
    means: 'Who is online, the invite code, announcements, kicks, bans and the allowlist',
    groups: ['Players', 'Moderation'],
  },
  chat: { means: 'The chat and other events, and writing in the chat', groups: ['Chat', 'Events'] },
  farmhands: { means: 'Farmhands, their owners, and their cabins', groups: ['Farmhands', 'Cabins'] },
  saves: { means: 'Saves, and the server settings', groups: ['Farms', 'Settings'] },
  backups: { means: 'Backups, and restoring them', groups: ['Backups'] },
  schedules: { means: 'Automatic actions', groups: ['Schedules'] },
  machine: {
    means: 'The game’s process, its log, samples, the audit and earlier operations',
    operations: [
      'getStats',
      'getRendering',
      'setRendering',
      'getGameLog',
      'getSamples',
      'getAudit',
      'listOperations',
    ],
  },
  keys: { means: 'Keys, and revoking them', groups: ['Keys'] },
  webhooks: { means: 'Webhooks, and whether they work', groups: ['Webhooks'] },
} as const satisfies Readonly<Record<string, Toolset>>;

export type ToolsetName = keyof typeof toolsets;

export const toolsetNames = Object.keys(toolsets) as readonly ToolsetName[];

export const usualSets: readonly ToolsetName[] = ['farm', 'players', 'chat'];

export const allSets = 'all';

/** What no assistant gets, and why. */
export const withoutTool = {
  getHealth: 'It is for monitors; `get_status` says more',
  getMetrics: 'It is for Prometheus',
  getDocument: 'It is a document about the API',
  getDocsPage: 'It is a page about the API',
  getAsyncApi: 'It is a document about the API',
  openWebSocket: 'Use the resource `farm://events`',
  streamEvents: 'Use the resource `farm://events`',
  getBackupFile: 'It may be larger than memory',
  importBans: 'It is for `control-api bans import`',
  createKey: 'Its answer is a secret, which would stay in the conversation',
  rotateKey: 'Its answer is a secret, which would stay in the conversation',
  createWebhook: 'Its URL and its answer are secrets, which would stay in the conversation',
} as const satisfies Readonly<Partial<Record<EndpointId, string>>>;

/** Those whose answer is nothing but what players or the game said, in one form or another. */
export const allPlayerText: readonly EndpointId[] = ['getGameLog', 'getScreenshot'];

export function isToolsetName(name: string): name is ToolsetName {
  return Object.hasOwn(toolsets, name);
}

/** In which set an operation is. */
export function toolsetOf(id: EndpointId): ToolsetName | undefined {
  if (id in withoutTool) return undefined;
  const isIn = (name: ToolsetName, of: keyof Toolset, what: string) => {
    const { [of]: these = [] }: Toolset = toolsets[name];
    return (these as readonly string[]).includes(what);
  };
  return (
    toolsetNames.find((name) => isIn(name, 'operations', id)) ??
    toolsetNames.find((name) => isIn(name, 'groups', endpoints[id].group))
  );
}

/** As models call it, and hosts allow: `setTime` is `set_time`. */
export function toolName(id: EndpointId): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const byName = new Map(endpointIds.map((id) => [toolName(id), id]));

/** The operation that a tool of this name would be. */
export function operationNamed(name: string): EndpointId | undefined {
  const id = byName.get(name);
  return id === undefined || id in withoutTool ? undefined : id;
}

/** Each set with its tools, as a table in Markdown; what changes something stands in bold. */
export function toolsetTable(): string {
  const rows = toolsetNames.map((name) => {
    const tools = endpointIds
      .filter((id) => toolsetOf(id) === name)
      .map((id) => (isWrite(endpoints[id]) ? `**\`${toolName(id)}\`**` : `\`${toolName(id)}\``));
    const usual = usualSets.includes(name) ? 'yes' : '';
    return `| \`${name}\` | ${usual} | ${toolsets[name].means} | ${tools.join(', ')} |`;
  });
  return ['| Set | Default | For | Tools |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
