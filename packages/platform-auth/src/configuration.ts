import {
  boolean,
  choice,
  headerSecret,
  list,
  port,
  secret,
  text,
} from '@steward/service-kit/configuration/kinds';
import { logVariables } from '@steward/service-kit/configuration/log-variables';
import type { Configuration, Variable } from '@steward/service-kit/configuration/variable';
import type { Secret } from '@steward/service-kit/secret';
import { z } from 'zod';
import { type KeptLanguages, languageCodes, parseKeptLanguages } from './download/filter/languages.ts';
import { type NoProxy, parseNoProxy } from './platform/no-proxy.ts';
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
  GAME_DIR: text({
    fallback: '/data/game',
    allowed: "a directory on a disk that outlives the container and that the game's container mounts, too",
    meaning: 'Where the game is downloaded to',
  }),
  PLATFORM_BRANCH: text({
    fallback: 'public',
    allowed: 'the name of a branch that wants no password',
    meaning: 'The branch of the game that is downloaded',
  }),
  PLATFORM_KEEP_LANGUAGES: languages(
    'The languages beside English whose texts and fonts are downloaded; without a font players see empty boxes in chat',
  ),
  PLATFORM_KEEP_FILES: list({
    allowed: 'globs on names below GAME_DIR between commas, such as `Content/XACT/*` or `**/*.pdb`',
    meaning: 'Files that are downloaded although they are left out by default',
    read: (glob) => glob,
  }),
  PLATFORM_SKIP_SDK: boolean({
    fallback: false,
    meaning: "Whether to do without the platform's SDK redistributable, which the game server loads",
  }),
  FORCE_REDOWNLOAD: choice({
    fallback: '0',
    values: ['0', '1'],
    meaning: '1: `download` and `setup` fetch every file anew, whatever is there',
  }),
  PLATFORM_PROXY: proxy('The proxy for all traffic to the platform'),
  HTTPS_PROXY: proxy('The proxy when PLATFORM_PROXY is not set; lower case works as well'),
  ALL_PROXY: proxy('The proxy when neither of the above is set; lower case works as well'),
  NO_PROXY: noProxy('What is reached without the proxy, as is this machine; lower case works as well'),
  PLATFORM_AUTH_SECRET: headerSecret({
    allowed: 'ASCII characters; `openssl rand -base64 32` makes a good one',
    meaning: 'The key that callers send; without one everybody who reaches the port gets tickets',
  }),
  PLATFORM_COMPAT: choice({
    fallback: 'none',
    values: ['none', 'existing'],
    meaning:
      "`existing` answers the existing server's mod as well: docs/migrating.md. Its calls carry no secret, and are answered on private networks only",
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

/** Other programs take these in lower case, too, and an operator's environment may have either. */
export function withLowerCaseProxies(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { https_proxy, all_proxy, no_proxy } = environment;
  return {
    ...environment,
    HTTPS_PROXY: environment['HTTPS_PROXY'] || https_proxy,
    ALL_PROXY: environment['ALL_PROXY'] || all_proxy,
    NO_PROXY: environment['NO_PROXY'] || no_proxy,
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
  const allowed = `a URL that begins with ${proxySchemes}, or \`host:port\` of an HTTP proxy`;
  return { schema, fallback: undefined, fallbackText: '', allowed, meaning, secret: true };
}

/** An unknown code is no error: it is warned of, and ignored. */
function languages(meaning: string): Variable<KeptLanguages> {
  return {
    schema: z.string().transform(parseKeptLanguages),
    fallback: parseKeptLanguages(''),
    fallbackText: '',
    allowed: `codes between commas: ${languageCodes.join(', ')}`,
    meaning,
    secret: false,
  };
}

function noProxy(meaning: string): Variable<NoProxy> {
  const allowed =
    'names with all below them, addresses, networks such as 10.0.0.0/8, or `*`, between commas; `:port` may follow';
  return {
    schema: z.string().transform(parseNoProxy),
    fallback: parseNoProxy(''),
    fallbackText: '',
    allowed,
    meaning,
    secret: false,
  };
}
