import type { Platform } from '../running-platform.ts';

/** Everything that a client needs, for a program to read. */
export function asJson(platform: Platform): string {
  const accounts = platform.accounts.all.map(({ name, steamId }) => ({
    name,
    steamId,
    refreshToken: platform.refreshToken(name),
  }));
  const { proxyUrl, caFile, ticketKey } = platform;
  return `${JSON.stringify({ proxyUrl, caFile, ticketKey: ticketKey.toString('hex'), accounts })}\n`;
}

/** The same, for a person. */
export function asText(platform: Platform): string {
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
