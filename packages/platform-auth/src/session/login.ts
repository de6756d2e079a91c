import type { Secret } from '@steward/service-kit/secret';
import { type Failure, PlatformFailure } from '../platform/failure.ts';
import type { Platform, PlatformSession } from '../platform/platform-session.ts';
import type { SessionStore } from '../tokens/session-store.ts';
import { type LoginSource, savedSession } from './login-source.ts';
import { readRefreshToken } from './refresh-token.ts';

/** A session and the token that it rests on. */
export interface Login {
  readonly session: PlatformSession;
  readonly token: Secret;
  readonly source: LoginSource;
}

/** The credential that it holds: of a password the token that this has brought, as it lies among the sources once it is saved. */
export function restsOn({ source, token }: Login): string {
  return source.kind === 'password' ? savedSession(source.username, token).id : source.id;
}

export interface LoginParts {
  readonly platform: Platform;
  readonly store: Pick<SessionStore, 'save'>;
  /** Told when a token could not be saved: the login goes on, but a restart needs the password again. */
  readonly notSaved: (error: unknown) => void;
}

/** One try with one source. */
export async function logIn(source: LoginSource, { platform, store, notSaved }: LoginParts): Promise<Login> {
  if (source.kind !== 'password')
    return { session: await withToken(source.token), token: source.token, source };
  const { username, password } = source;
  const saved = await platform.logInWithPassword(username, password);
  await store.save(saved).catch(notSaved);
  return { session: await withToken(saved.token), token: saved.token, source };

  async function withToken(refreshToken: Secret): Promise<PlatformSession> {
    const read = readRefreshToken(refreshToken);
    if (!read.ok) throw new PlatformFailure(malformed);
    return platform.logOn(refreshToken);
  }
}

/** Which of them it is, whoever tells it says. */
const malformed: Failure = {
  class: 'dead-credential',
  reason: 'This is not a refresh token for logging in',
};
