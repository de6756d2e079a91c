import type { Accounts } from '../accounts/accounts.ts';
import type { LoginAttempts } from './login-attempts.ts';
import type { LoginLimit } from './login-limit.ts';
import type { RsaPasswords } from './rsa-passwords.ts';
import type { RenewalPolicy, Tokens } from './tokens.ts';

export interface AuthenticationParts {
  readonly accounts: Accounts;
  readonly attempts: LoginAttempts;
  readonly limit: LoginLimit;
  readonly passwords: RsaPasswords;
  readonly tokens: Tokens;
  readonly renewal: RenewalPolicy;
  readonly pollIntervalSeconds: number;
  readonly now: () => number;
}
