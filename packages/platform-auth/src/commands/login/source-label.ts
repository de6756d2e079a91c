import type { Clock } from '@steward/service-kit/clock';
import type { LoginSource } from '../../session/login-source.ts';
import { daysUntil, readRefreshToken } from '../../session/refresh-token.ts';

/** A login that could be used again, and for how long. */
export function sourceLabel(source: LoginSource, clock: Pick<Clock, 'date'>): string {
  if (source.kind === 'password') return 'PLATFORM_PASSWORD';
  const name =
    source.kind === 'environment-token' ? 'PLATFORM_REFRESH_TOKEN' : `the session of ${source.username}`;
  const read = readRefreshToken(source.token);
  if (!read.ok) return `${name} (unusable)`;
  const days = daysUntil(read.value.expiresAt, clock.date());
  return days < 0 ? `${name} (expired)` : `${name} (good for ${days} days)`;
}
