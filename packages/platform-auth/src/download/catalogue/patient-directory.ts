import { type Clock, pause } from '@steward/service-kit/clock';
import { PlatformFailure } from '../../platform/failure.ts';
import type { ContentDirectory, PlatformSession } from '../../platform/platform-session.ts';

/** Waits between the tries: a session that was lost comes back within them, as a rule. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 16_000];

/** The directory of whichever session there is, asked again when an answer fails to come for a passing reason. */
export function patientDirectory(
  session: () => PlatformSession | undefined,
  clock: Clock,
  signal: AbortSignal,
): ContentDirectory {
  const patiently = async <T>(ask: (directory: ContentDirectory) => Promise<T>): Promise<T> => {
    for (const pauseMs of pausesMs) {
      signal.throwIfAborted();
      try {
        return await ask(directoryOf(session()));
      } catch (error) {
        if (!(error instanceof PlatformFailure) || error.failure.class !== 'transient') throw error;
        await pause(pauseMs, clock, signal);
      }
    }
    signal.throwIfAborted();
    return ask(directoryOf(session()));
  };
  return {
    ownsApp: (appId) => patiently((directory) => directory.ownsApp(appId)),
    productInfo: (appId) => patiently((directory) => directory.productInfo(appId)),
    depotKey: (appId, depotId) => patiently((directory) => directory.depotKey(appId, depotId)),
    requestCode: (manifest) => patiently((directory) => directory.requestCode(manifest)),
    servers: () => patiently((directory) => directory.servers()),
    // Whoever wants one goes elsewhere meanwhile, and asks again where nobody else is left.
    serverToken: async (...wanted) => directoryOf(session()).serverToken(...wanted),
  };
}

function directoryOf(session: PlatformSession | undefined): ContentDirectory {
  if (session !== undefined) return session.content;
  throw new PlatformFailure({ class: 'transient', reason: 'There is no platform session' });
}
