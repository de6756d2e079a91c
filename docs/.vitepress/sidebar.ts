interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** Every page of the site, by who reads it; a page that stands in no group fails a test. */
export const sidebar: readonly Group[] = [
  {
    text: 'Play',
    items: [
      { text: 'What Steward is', link: '/' },
      { text: 'Quick start: a real farm', link: '/docs/quick-start' },
      { text: 'Get a farm running', link: '/docs/operators' },
      { text: 'The page in your browser', link: '/docs/dashboard' },
      { text: 'From the existing server', link: '/docs/migrating' },
      { text: 'Players cannot join', link: '/docs/players-cannot-join' },
      { text: 'Common problems', link: '/docs/common-problems' },
      { text: 'Discord', link: '/docs/discord' },
      { text: 'Assistants (MCP)', link: '/docs/assistants' },
      { text: 'Glossary', link: '/docs/glossary' },
    ],
  },
  {
    text: 'Operate',
    items: [
      { text: 'The sidecar', link: '/docs/sidecar' },
      { text: 'What the sidecar’s errors mean', link: '/docs/sidecar-errors' },
      { text: 'Configuration', link: '/docs/configuration' },
      { text: 'Several saves', link: '/docs/farms' },
      { text: 'Several farms on one machine', link: '/docs/farms-on-one-machine' },
      { text: 'Many farms', link: '/docs/many-farms' },
      { text: 'Kubernetes', link: '/docs/kubernetes' },
      { text: 'The Kubernetes files', link: '/deploy/kubernetes/README' },
      { text: 'Pelican and Pterodactyl', link: '/docs/panels' },
      { text: 'Where it runs', link: '/docs/where-it-runs' },
      { text: 'HTTPS', link: '/docs/https' },
      { text: 'Backups', link: '/docs/backups' },
      { text: 'Restore a backup', link: '/docs/restoring' },
      { text: 'Move to another machine', link: '/docs/moving' },
      { text: 'Schedules', link: '/docs/schedules' },
      { text: 'Stop without losing a day', link: '/docs/draining' },
      { text: 'Bans, kicks and the allowlist', link: '/docs/moderation' },
      { text: 'Keys and the audit', link: '/docs/keys' },
      { text: 'Upgrades', link: '/docs/upgrades' },
      { text: 'Recipes', link: '/docs/recipes' },
      { text: 'Without Docker', link: '/docs/without-docker' },
      { text: 'A game in Docker', link: '/docs/game-in-docker' },
      { text: 'The game download', link: '/docs/download' },
      { text: 'Exit codes', link: '/docs/exit-codes' },
    ],
  },
  {
    text: 'Build on it',
    items: [
      { text: 'The API', link: '/docs/api' },
      { text: 'The client', link: '/packages/client/README' },
      { text: 'Examples', link: '/examples/README' },
      { text: 'Chat bots', link: '/docs/chat-bots' },
      { text: 'Events', link: '/docs/events' },
      { text: 'Webhooks', link: '/docs/webhooks' },
      { text: 'Errors', link: '/docs/errors' },
      { text: 'What stays, and what may change', link: '/docs/versioning' },
      { text: 'The sidecar’s API', link: '/docs/sidecar-api' },
    ],
  },
  {
    text: 'Make a game speak it',
    items: [
      { text: 'The game bridge', link: '/docs/game-bridge' },
      { text: 'Check your game’s bridge', link: '/packages/bridge-conformance/README' },
      { text: 'The simulated farm', link: '/docs/simulated-farm' },
      { text: 'The platform emulator', link: '/docs/platform-emulator' },
    ],
  },
  {
    text: 'Inside',
    items: [
      { text: 'Architecture', link: '/docs/architecture' },
      { text: 'Image: control-api', link: '/packages/control-api/README' },
      { text: 'Image: platform-auth', link: '/packages/platform-auth/README' },
      { text: 'Image: Discord bot', link: '/packages/discord-bot/README' },
      { text: 'Image: MCP server', link: '/packages/mcp-server/README' },
      { text: 'How invite codes are made', link: '/docs/invite-codes' },
      { text: 'Reliability', link: '/docs/reliability' },
      { text: 'Security', link: '/docs/security' },
      { text: 'Report a vulnerability', link: '/SECURITY' },
      { text: 'Performance', link: '/docs/performance' },
      { text: 'Contributing', link: '/CONTRIBUTING' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
  },
];
