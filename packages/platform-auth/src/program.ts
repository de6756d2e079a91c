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
    doctor: {
      summary: 'Looks at everything that a session needs, and says what is wrong and what mends it',
      details: `A line for each check; what it prints names no account and holds no secret, and can be pasted anywhere.
It logs in beside a running service and disturbs nothing. It ends with the code of the first line that failed.`,
      flags: { json: 'The same as JSON, for programs' },
      run: async (flags) => (await import('./doctor/doctor.ts')).doctor(flags),
    },
    healthcheck: {
      summary: 'Succeeds when the running service answers; made for containers',
      run: async () => (await import('./healthcheck.ts')).healthcheck(),
    },
  },
};
