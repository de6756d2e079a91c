import type { ProgramDescription } from '@steward/service-kit/command-line/program';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { variables } from './configuration.ts';

export const program: ProgramDescription = {
  name: 'discord-bot',
  summary: 'connects the chat of a farm with a Discord channel',
  version: () => packageVersion(import.meta.url),
  defaultCommand: 'serve',
  variables,
  commands: {
    serve: {
      summary: 'Runs the bot',
      run: async () => (await import('./serve.ts')).serve(),
    },
    healthcheck: {
      summary: 'Exits with 0 while the running bot is connected to Discord; made for containers',
      run: async () => (await import('./healthcheck.ts')).healthcheck(),
    },
    check: {
      summary:
        'Checks the token, the channel, the permissions, the farm and the key, and says what is missing',
      run: async () => (await import('./check.ts')).check(),
    },
  },
};
