import { createHash } from 'node:crypto';
import type { Secret } from '@steward/service-kit/secret';
import type { Failure } from '../platform/failure.ts';

/** Where a login can come from. */
export type LoginSource =
  | {
      readonly kind: 'environment-token';
      readonly id: string;
      readonly token: Secret;
      /** Why it is not to be tried: it was, before this process began. */
      readonly spent?: Failure;
    }
  | { readonly kind: 'saved-session'; readonly id: string; readonly token: Secret; readonly username: string }
  | { readonly kind: 'password'; readonly id: string; readonly password: Secret; readonly username: string };

export function environmentToken(token: Secret, spent?: Failure): LoginSource {
  const source = { kind: 'environment-token', id: sourceId('environment-token', token), token } as const;
  return spent === undefined ? source : { ...source, spent };
}

export function savedSession(username: string, token: Secret): LoginSource {
  return { kind: 'saved-session', id: sourceId('saved-session', token), username, token };
}

export function passwordLogin(username: string, password: Secret): LoginSource {
  return { kind: 'password', id: sourceId(`password of ${username}`, password), username, password };
}

/** What an operator calls it. */
export const sourceNames: Readonly<Record<LoginSource['kind'], string>> = {
  'environment-token': 'PLATFORM_REFRESH_TOKEN',
  'saved-session': 'the saved session',
  password: 'PLATFORM_PASSWORD',
};

/** Tells one credential from another without holding it. */
function sourceId(kind: string, secret: Secret): string {
  return createHash('sha256').update(`${kind}\0${secret.reveal()}`).digest('base64url').slice(0, 16);
}
