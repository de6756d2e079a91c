import { systemClock } from '../clock.ts';
import type { PlatformAuthConfiguration } from '../configuration.ts';
import { logonIdOf } from './logon-id.ts';
import { libraryProxy } from './proxy.ts';
import { SteamPlatform } from './steam-platform.ts';

/** The platform for one command, which has a logon id of its own: no command takes the session of another. */
export function composePlatform(command: string, configuration: PlatformAuthConfiguration): SteamPlatform {
  const { PLATFORM_PROXY, HTTPS_PROXY, ALL_PROXY } = configuration;
  return new SteamPlatform({
    proxy: libraryProxy(PLATFORM_PROXY ?? HTTPS_PROXY ?? ALL_PROXY),
    logonId: logonIdOf(command),
    // What is waited for on the network goes by the true time.
    clock: systemClock,
  });
}
