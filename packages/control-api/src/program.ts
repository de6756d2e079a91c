import type { ProgramDescription } from '@steward/service-kit/command-line/program';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { auditCommand } from './commands/audit.ts';
import { backupCommands } from './commands/backup.ts';
import { banCommands } from './commands/bans.ts';
import { drainCommands } from './commands/drain.ts';
import { importCommand } from './commands/import.ts';
import { keyCommands } from './commands/keys.ts';
import { scheduleCommands } from './commands/schedules.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { variables } from './configuration.ts';

export const program: ProgramDescription = {
  name: 'control-api',
  summary: 'REST and WebSocket in front of a game',
  version: () => packageVersion(import.meta.url),
  defaultCommand: 'serve',
  variables,
  commands: {
    serve: {
      summary: 'Runs the service',
      run: async () => (await import('./serve.ts')).serve(),
    },
    ...keyCommands,
    ...webhookCommands,
    ...backupCommands,
    import: importCommand,
    ...scheduleCommands,
    ...banCommands,
    ...drainCommands,
    audit: auditCommand,
    healthcheck: {
      summary: 'Exits with 0 when the running service answers; made for containers',
      run: healthcheck,
    },
  },
};

/** A server whose API is switched off is as healthy as it can be. */
async function healthcheck(): Promise<void> {
  const { API_ENABLED, API_HOST, API_PORT } = readConfiguration(variables, process.env);
  if (!API_ENABLED) return;
  const { checkHealth } = await import('@steward/service-kit/http/asking');
  await checkHealth(API_HOST, API_PORT);
}
