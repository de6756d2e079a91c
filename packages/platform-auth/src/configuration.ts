import { port, secret, text } from '@steward/service-kit/configuration/kinds';
import { logVariables } from '@steward/service-kit/configuration/log-variables';
import type { Configuration, Variable } from '@steward/service-kit/configuration/variable';
import type { Secret } from '@steward/service-kit/secret';
import { z } from 'zod';
import { type ProxyAddress, parseProxy, proxySchemes } from './platform/proxy.ts';

/** Everything that platform-auth reads from its environment. */
export const variables = {
  PLATFORM_USERNAME: optionalText({
    allowed: "an account's login name",
    meaning:
      'The platform account; without it the only saved session is used, and commands on a terminal ask for it',
  }),
  PLATFORM_PASSWORD: secret({
    allowed: 'any text',
    meaning:
      'The password, for an account without a second factor; any other logs in once by `platform-auth setup`',
  }),
  PLATFORM_REFRESH_TOKEN: secret({
    allowed: 'what `platform-auth export-token` prints',
    meaning: 'A refresh token to log in with before anything else; it is never saved and never renewed',
  }),
  SESSION_DIR: text({
    fallback: '/data/platform-session',
    allowed: 'a directory of its own, on a disk that outlives the container',
    meaning: 'Where sessions are saved, for this program alone',
  }),
  PLATFORM_PROXY: proxy('The proxy for all traffic to the platform'),
  HTTPS_PROXY: proxy('The proxy when PLATFORM_PROXY is not set; lower case works as well'),
  ALL_PROXY: proxy('The proxy when neither of the above is set; lower case works as well'),
  PLATFORM_AUTH_SECRET: secret({
    allowed: 'any text; `openssl rand -base64 32` makes a good one',
    meaning: 'The key that callers send; without one everybody who reaches the port gets tickets',
  }),
  HOST: text({
    fallback: '0.0.0.0',
    allowed: 'an address of this machine',
    meaning: 'The address that the HTTP server listens on',
  }),
  PORT: port({ fallback: 3001, meaning: 'The port that the HTTP server listens on; 0 takes a free one' }),
  ...logVariables,
};

export type PlatformAuthConfiguration = Configuration<typeof variables>;

/** Other programs take these two in lower case, too, and an operator's environment may have either. */
export function withLowerCaseProxies(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { https_proxy, all_proxy } = environment;
  return {
    ...environment,
    HTTPS_PROXY: environment['HTTPS_PROXY'] || https_proxy,
    ALL_PROXY: environment['ALL_PROXY'] || all_proxy,
  };
}

/** All that must not be written anywhere. */
export function secretsOf(configuration: PlatformAuthConfiguration): readonly Secret[] {
  const { PLATFORM_PASSWORD, PLATFORM_REFRESH_TOKEN, PLATFORM_AUTH_SECRET } = configuration;
  const proxies = [configuration.PLATFORM_PROXY, configuration.HTTPS_PROXY, configuration.ALL_PROXY];
  return [
    PLATFORM_PASSWORD,
    PLATFORM_REFRESH_TOKEN,
    PLATFORM_AUTH_SECRET,
    ...proxies.map((proxy) => proxy?.url),
  ].filter((secret) => secret !== undefined);
}

function optionalText(row: { allowed: string; meaning: string }): Variable<string | undefined> {
  return { schema: z.string(), fallback: undefined, fallbackText: '', secret: false, ...row };
}

/** Secret, since it may hold the proxy's password. */
function proxy(meaning: string): Variable<ProxyAddress | undefined> {
  const schema = z.string().transform((address, context) => {
    const parsed = parseProxy(address);
    if (parsed.ok) return parsed.value;
    context.addIssue(parsed.reason);
    return z.NEVER;
  });
  const allowed = `a URL that begins with ${proxySchemes}`;
  return { schema, fallback: undefined, fallbackText: '', allowed, meaning, secret: true };
}
