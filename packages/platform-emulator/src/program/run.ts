import { once } from 'node:events';
import { demoApps } from '../demo-apps.ts';
import { startPlatform } from '../platform.ts';
import { writeForClients } from './for-clients.ts';
import { asJson, asText } from './how-to-reach.ts';
import type { ProgramOptions } from './options.ts';

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
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await platform.close();
}
