import type { ProgramDescription } from '@steward/service-kit/command-line/program';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { exitCodeMeanings } from './commands/run/exit-codes.ts';
import { variables } from './configuration.ts';

export const program: ProgramDescription = {
  name: 'platform-auth',
  summary: "the sidecar: the only program with the platform account's secrets",
  version: () => packageVersion(import.meta.url),
  defaultCommand: 'serve',
  variables,
  exitCodes: exitCodeMeanings,
  commands: {
    setup: {
      summary: 'First setup: asks what it needs, logs in, then downloads the game',
      details: `On a terminal it asks how to log in, with a password or by QR code, and then for the account's second factor.
Without a terminal it uses the environment variables and the saved session, and fails at once if they are not enough.
The session is saved in SESSION_DIR, where a running service finds it within seconds.`,
      run: async () => (await import('./commands/setup.ts')).setup(),
    },
    login: {
      summary: 'Logs in as setup does and saves the session; downloads nothing',
      run: async () => (await import('./commands/login/login.ts')).login(),
    },
    download: {
      summary: 'Downloads the game into GAME_DIR, or updates it',
      details: `It continues where an interrupted run stopped, and an update downloads only what is new. The game's files change only
when all new ones are there. Saves and mods are never touched. docs/download.md says the rest.`,
      flags: {
        plan: 'Only says what would be downloaded, kept and left out, and changes nothing',
        json: 'With --plan: as one line of JSON',
        verify: 'Reads every file and repairs broken ones',
        'skip-sdk': "Does not change the platform's SDK redistributable",
      },
      run: async (flags) => (await import('./commands/download.ts')).downloadCommand(flags),
    },
    ticket: {
      summary: 'Writes an encrypted app ticket to standard output, in base64',
      details: `It logs in with PLATFORM_REFRESH_TOKEN or the saved session, the newer one first, then with PLATFORM_PASSWORD. A running
service is not disturbed. The platform gives an account one ticket a minute.`,
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
    doctor: {
      summary: 'Checks everything that a session needs, and says what is wrong and how to fix it',
      details: `A line for each check; what it prints names no account and holds no secret, and can be pasted anywhere.
It logs in beside a running service and disturbs nothing. It ends with the code of the first line that failed.`,
      flags: { json: 'The same as JSON, for programs' },
      run: async (flags) => (await import('./commands/doctor/doctor.ts')).doctor(flags),
    },
    healthcheck: {
      summary: 'Exits with 0 when the running service answers; made for containers',
      flags: { ready: 'Only if it is also logged in to the platform' },
      run: async (flags) => (await import('./commands/healthcheck.ts')).healthcheck(flags),
    },
  },
};
