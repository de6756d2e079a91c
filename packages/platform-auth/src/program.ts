import type { ProgramDescription } from '@steward/service-kit/command-line/program';
import { exitCodeMeanings } from './commands/exit-codes.ts';
import { variables } from './configuration.ts';

export const program: ProgramDescription = {
  name: 'platform-auth',
  summary: "the sidecar that alone holds the platform account's secrets",
  defaultCommand: 'serve',
  variables,
  exitCodes: exitCodeMeanings,
  commands: {
    setup: {
      summary: 'The first setup: logs in, asking for what it needs, then downloads the game',
      details: `On a terminal it asks: password or QR code, then what the account's guard wants. Without one it takes
what the environment holds and fails at once where that is not enough. The session is saved in SESSION_DIR,
where a running service finds it within seconds.`,
      run: async () => (await import('./commands/setup.ts')).setup(),
    },
    login: {
      summary: 'Logs in as setup does and saves the session; downloads nothing',
      run: async () => (await import('./commands/login.ts')).login(),
    },
    ticket: {
      summary: 'Writes an encrypted app ticket to standard output, in base64',
      details: `It logs in with PLATFORM_REFRESH_TOKEN, the saved session or PLATFORM_PASSWORD, in this order, beside a
running service and without disturbing it. The platform gives an account one ticket a minute.`,
      run: async () => (await import('./commands/ticket.ts')).ticket(),
    },
    'export-token': {
      summary: 'Writes the saved refresh token to standard output, for automated builds',
      details: `Keep it like a password: whoever has it can log in as the account. It lasts about 200 days, but no longer than until
the service renews the session that it belongs to. Nothing is written to standard error when it succeeds.`,
      flags: { json: 'One line of JSON: username, refresh_token and expires_at' },
      run: async (flags) => (await import('./commands/export-token.ts')).exportToken(flags),
    },
    serve: {
      summary: 'Runs the HTTP API',
      run: async () => (await import('./serve.ts')).serve(),
    },
    healthcheck: {
      summary: 'Succeeds when the running service answers; made for containers',
      flags: { ready: 'Only when it is logged in to the platform, too' },
      run: async (flags) => (await import('./commands/healthcheck.ts')).healthcheck(flags),
    },
  },
};
