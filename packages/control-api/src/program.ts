import type { ProgramDescription } from '@steward/service-kit/command-line/program-description';
import { packageVersion } from '@steward/service-kit/process/version';
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
    healthcheck: {
      summary: 'Succeeds when the running service answers; made for containers',
      run: async () => (await import('./healthcheck.ts')).healthcheck(),
    },
  },
};
