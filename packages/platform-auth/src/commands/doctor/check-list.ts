import type { Clock } from '@steward/service-kit/clock';
import type { Environment } from '@steward/service-kit/configuration/read';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import type { Platform, PlatformSession } from '../../platform/platform-session.ts';
import { credentialsCheck, loginCheck, ownershipCheck } from './checks/account.ts';
import { configurationCheck } from './checks/configuration.ts';
import { freeSpaceCheck, gameDirectoryCheck, sessionDirectoryCheck } from './checks/disk.ts';
import { gameFilesCheck } from './checks/game-files.ts';
import {
  clockCheck,
  connectionManagersCheck,
  contentServersCheck,
  type Lookup,
  namesCheck,
  proxyCheck,
  webApiCheck,
} from './checks/network.ts';
import { lobbyCheck, serviceCheck, ticketCheck } from './checks/service.ts';
import { Examination, type Step } from './examination.ts';

export interface Surroundings {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly platform: (configuration: PlatformAuthConfiguration) => Platform;
  readonly opened: (session: PlatformSession) => void;
}

/** Every check, in the order in which their lines are shown. What one needs of others stands beside it. */
export function examine(surroundings: Surroundings): readonly Step<unknown>[] {
  const { environment, clock, lookup } = surroundings;
  const examination = new Examination(clock);

  const configuration = examination.check(configurationCheck(environment), {});
  const sessionDirectory = examination.check(sessionDirectoryCheck, { configuration });
  examination.check(gameDirectoryCheck, { configuration });
  examination.check(freeSpaceCheck, { configuration });
  examination.check(gameFilesCheck, { configuration });

  const route = examination.check(proxyCheck, { configuration });
  const names = examination.check(namesCheck(lookup), { route });
  const directory = examination.check(webApiCheck, { route, names });
  examination.check(clockCheck(clock), { directory });
  const connectionManagers = examination.check(connectionManagersCheck, { route, directory });
  examination.check(contentServersCheck, { route, directory });

  const service = examination.check(serviceCheck, { configuration });
  const credentials = examination.check(credentialsCheck(clock), { configuration, sessionDirectory });
  const session = examination.check(loginCheck(surroundings), {
    configuration,
    credentials,
    connectionManagers,
    service,
  });
  const ownership = examination.check(ownershipCheck, { session });
  examination.check(ticketCheck, { configuration, service, session, ownership });
  examination.check(lobbyCheck, { configuration, service });

  return examination.steps;
}
