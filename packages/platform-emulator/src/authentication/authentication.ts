import type { ServiceMethod } from '../services/service-method.ts';
import type { AuthenticationParts } from './authentication-parts.ts';
import { passwordMethods } from './password-methods.ts';
import { pollMethod } from './poll-method.ts';
import { qrMethods } from './qr-methods.ts';
import { renewalMethod } from './renewal-method.ts';

/** The authentication service, the same over the connection manager and over the web API. */
export function authenticationMethods(parts: AuthenticationParts): ServiceMethod[] {
  return [...passwordMethods(parts), ...qrMethods(parts), pollMethod(parts), renewalMethod(parts)];
}
