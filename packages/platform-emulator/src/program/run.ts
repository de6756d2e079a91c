import { once } from 'node:events';
import { demoApps } from '../demo-apps.ts';
import { startPlatform } from '../platform.ts';
import { writeForClients } from './for-clients.ts';
import { asJson, asText } from './how-to-reach.ts';
import type { ProgramOptions } from './options.ts';

/** The last is a terminal that was closed, or a reader of the output that went away. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a platform until a signal ends it. */
export async function run(options: ProgramOptions): Promise<void> {
  const { seed, gameBytes, accounts, entrance, keep, clients, json } = options;
  const platform = await startPlatform({
    ...{ seed, accounts, entrance },
    apps: demoApps(seed, gameBytes),
    ...(keep === undefined ? {} : { certificateDirectory: keep }),
  });
  if (clients !== undefined) writeForClients(platform, clients);
  process.stdout.write(json ? asJson(platform) : asText(platform));
  await Promise.race(endings.map((signal) => once(process, signal)));
  await platform.close();
}
