import { EAuthTokenPlatformType, LoginSession } from 'steam-session';
import { onTestFinished } from 'vitest';
import type { Platform } from '../../src/running-platform.ts';

export const clientKind = EAuthTokenPlatformType.SteamClient;
export const browserKind = EAuthTokenPlatformType.WebBrowser;
export const mobileKind = EAuthTokenPlatformType.MobileApp;

/** An unmodified login session that is pointed at the emulator. */
export function loginSession(platform: Platform, kind: EAuthTokenPlatformType = clientKind): LoginSession {
  const session = new LoginSession(kind, {
    httpProxy: platform.proxyUrl,
    ...(kind === clientKind ? { machineId: true } : {}),
  });
  onTestFinished(() => {
    session.removeAllListeners();
    session.on('error', () => undefined);
    session.cancelLoginAttempt();
  });
  return session;
}

/** How a login ended: authenticated, timeout, or the error's EResult. */
export function outcomeOf(session: LoginSession): Promise<'authenticated' | 'timeout' | number> {
  return new Promise((resolve) => {
    session.once('authenticated', () => resolve('authenticated'));
    session.once('timeout', () => resolve('timeout'));
    session.once('error', (error: { eresult?: number }) => resolve(error.eresult ?? 0));
  });
}
