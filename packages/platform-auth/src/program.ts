import type { ProgramDescription } from '@steward/service-kit/command-line/program';
import { variables } from './configuration.ts';

export const program: ProgramDescription = {
  name: 'platform-auth',
  summary: "the sidecar that alone holds the platform account's secrets",
  defaultCommand: 'serve',
  variables,
  commands: {
    serve: {
      summary: 'Runs the HTTP API',
      run: async () => (await import('./serve.ts')).serve(),
    },
    healthcheck: {
      summary: 'Succeeds when the running service answers; made for containers',
      run: async () => (await import('./healthcheck.ts')).healthcheck(),
    },
  },
};
