interface Row {
  readonly code: number;
  readonly meaning: string;
  /** What mends it. */
  readonly remedy: string;
}

/** How a command can end, told apart for scripts. `--help` and docs/exit-codes.md are made from these rows. */
export const exitCodes = {
  ok: { code: 0, meaning: 'done', remedy: '' },
  failure: {
    code: 1,
    meaning: 'a variable is wrong, or an error without its own code',
    remedy: 'The text on standard error says what',
  },
  usage: {
    code: 2,
    meaning: 'there is no such command or option',
    remedy: '`platform-auth --help` lists them',
  },
  'login-refused': {
    code: 3,
    meaning: 'the platform refused the login, or nobody approved it',
    remedy: 'Log in again with `platform-auth login`',
  },
  'two-factor': {
    code: 4,
    meaning: 'the account has a second factor; only `login` and `setup` ask for it, in a terminal',
    remedy: 'Run `platform-auth login` in a terminal once; its session is used from then on',
  },
  'rate-limited': {
    code: 5,
    meaning: 'the platform allows no further attempt for now',
    remedy:
      'Wait: half an hour after too many logins, a minute between two tickets. Trying earlier makes it longer',
  },
  'not-owned': {
    code: 6,
    meaning: 'the account does not own the game',
    remedy: 'Buy the game for this account, or log in with one that has it',
  },
  network: {
    code: 7,
    meaning: 'the platform or the connection to it failed',
    remedy:
      'Try again later. If there was no answer, `platform-auth doctor` shows where the connection fails; behind a proxy, set or fix `PLATFORM_PROXY`',
  },
  disk: {
    code: 8,
    meaning: 'a directory cannot be read or written',
    remedy: 'Fix the directory, its owner or the space on the disk',
  },
  'no-credentials': {
    code: 9,
    meaning: 'there are no credentials; only `login` and `setup` ask for them, in a terminal',
    remedy: 'Run `platform-auth login` in a terminal, or set the variables that the text names',
  },
  interrupted: { code: 130, meaning: 'Ctrl-C', remedy: 'Run it again; nothing is left half done' },
  terminated: {
    code: 143,
    meaning: 'stopped by a signal from another program',
    remedy: 'Run it again; nothing is left half done',
  },
} as const satisfies Record<string, Row>;

export type ExitCodeName = keyof typeof exitCodes;

export const exitCodeRows: readonly Row[] = Object.values(exitCodes);

/** The rows as `--help` takes them. */
export const exitCodeMeanings: Readonly<Record<number, string>> = Object.fromEntries(
  exitCodeRows.map(({ code, meaning }) => [code, meaning]),
);
