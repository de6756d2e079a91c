import type { Clock } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import { withDeadline } from './deadline.ts';
import { PlatformFailure } from './failure.ts';
import type { LoginDesk } from './login-attempt.ts';
import type { AccountToken } from './platform-session.ts';

/** From the platform's yes to the token; the platform asks to be polled every few seconds. */
const tokenLimitMs = 30_000;

/** Logs in with a password where nobody sits who could type a code or press a button. */
export async function logInWithPassword(
  desk: LoginDesk,
  username: string,
  password: Secret,
  clock: Clock,
): Promise<AccountToken> {
  const attempt = await desk.beginWithPassword(username, password);
  try {
    if (attempt.guards.length > 0) throw guarded;
    return await withDeadline(attempt.finished, tokenLimitMs, 'the password login', clock);
  } finally {
    attempt.cancel();
  }
}

const guarded = new PlatformFailure({
  class: 'dead-credential',
  reason: 'The account is guarded by a second factor, which a password alone does not pass',
  remedy: 'Run `platform-auth setup` on a terminal: it asks for the code and saves a session',
  wantsPerson: true,
});
