import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoApps } from '../demo-apps.ts';
import { startPlatform } from '../platform.ts';
import type { Platform } from '../running-platform.ts';
import type { ProgramOptions } from './options.ts';

/** The last is a terminal that was closed, or a reader of the output that went away. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a platform until a signal ends it. */
export async function run(options: ProgramOptions): Promise<void> {
  const { seed, gameBytes, accounts, entrance, keep, clients, json } = options;
  const platform = await startPlatform({
    seed,
    accounts,
    entrance,
    apps: demoApps(seed, gameBytes),
    ...(keep === undefined ? {} : { certificateDirectory: keep }),
  });
  if (clients !== undefined) writeForClients(platform, clients);
  process.stdout.write(json ? asJson(platform) : asText(platform));
  await Promise.race(endings.map((signal) => once(process, signal)));
  await platform.close();
}

/** Files for clients that cannot read what the emulator prints: whom to trust, and what reads its tickets. */
function writeForClients({ caPem, ticketKey }: Platform, directory: string): void {
  mkdirSync(directory, { recursive: true });
  replace(join(directory, 'ca.pem'), caPem);
  replace(join(directory, 'ticket-key'), `${ticketKey.toString('hex')}\n`);
}

/** A client that starts meanwhile finds the old file or the new one, never half of it. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** Everything that a client needs, for a program to read. */
function asJson(platform: Platform): string {
  const accounts = platform.accounts.all.map(({ name, steamId }) => ({
    name,
    steamId,
    refreshToken: platform.refreshToken(name),
  }));
  const { proxyUrl, caFile, ticketKey } = platform;
  return `${JSON.stringify({ proxyUrl, caFile, ticketKey: ticketKey.toString('hex'), accounts })}\n`;
}

/** The same, for a person. */
function asText(platform: Platform): string {
  const accounts = platform.accounts.all.map(
    ({ name, password, steamId, guards }) => `
  account     ${name}, password ${password}, guard ${guards.join(' or ')}, id ${steamId}
  token       ${platform.refreshToken(name)}`,
  );
  return `The platform emulator is up.

  proxy       ${platform.proxyUrl}
  CA file     ${platform.caFile}
  ticket key  ${platform.ticketKey.toString('hex')}
${accounts.join('\n')}

Point a client at it: start it with NODE_EXTRA_CA_CERTS=${platform.caFile}
and give the sidecar PLATFORM_PROXY=${platform.proxyUrl},
or steam-user or steam-session the option httpProxy: '${platform.proxyUrl}'.
Guards that ask for a code take 2FABC.

Ctrl-C ends it.
`;
}
