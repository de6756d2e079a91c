import { systemClock } from '@steward/service-kit/clock';
import { libraryProxy } from './library-proxy.ts';
import { logonIdOf } from './logon-id.ts';
import { chooseProxies, type ProxySettings } from './proxy-for.ts';
import { SteamPlatform } from './steam-platform.ts';

/** The platform for one run of a command, with a logon id of its own: none takes the session of another. */
export function composePlatform(command: string, settings: ProxySettings): SteamPlatform {
  return new SteamPlatform({
    proxy: libraryProxy(chooseProxies(settings)),
    logonId: logonIdOf(command),
    // What is waited for on the network goes by the true time.
    clock: systemClock,
  });
}
