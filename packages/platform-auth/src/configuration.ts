import { flag, headerSecret, kind, port, secretText, text } from '@steward/service-kit/configuration/kinds';
import {
  type Configuration,
  dataVariables,
  instanceVariables,
  logVariables,
  variable,
} from '@steward/service-kit/configuration/variable';
import type { Secret } from '@steward/service-kit/secret';
import { choice, integer } from '@steward/shared/kinds';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { languageCodes, parseKeptLanguages } from './download/filter/languages.ts';
import { parseNoProxy } from './platform/no-proxy.ts';
import { parseProxy, proxySchemes } from './platform/proxy.ts';

/** Longer than hundreds of farms need. */
const longestSpread = 24 * 60 * 60;

/** Secret, since it may hold the proxy's password. */
const proxy = {
  ...kind({
    allowed: `a URL that begins with ${proxySchemes}, or \`host:port\` of an HTTP proxy`,
    parse: parseProxy,
  }),
  secret: true,
} as const;

const anyToken = secretText('what `platform-auth export-token` prints');

/** With a line break behind it, as a secret of a cluster often has, the platform would refuse it. */
const refreshToken = { ...anyToken, parse: (text: string) => anyToken.parse(text.trim()) };

/** An unknown code is no error: it is warned of, and ignored. */
const languages = kind({
  allowed: `codes separated by commas: ${languageCodes.join(', ')}`,
  parse: (text) => accepted(parseKeptLanguages(text)),
});

const noProxy = kind({
  allowed:
    'names (which include all names below them), addresses, networks such as 10.0.0.0/8, or `*`, separated by commas; `:port` may follow',
  parse: (text) => accepted(parseNoProxy(text)),
});

const globs = kind({
  allowed:
    'globs for names below GAME_DIR, separated by commas, such as `Content/XACT/*` or `**/*.{pdb,dbg}`, with every brace closed',
  parse: parseGlobs,
});

/** A comma inside braces is a part of its glob. */
function parseGlobs(text: string): Parsed<readonly string[]> {
  const found: string[] = [];
  let glob = '';
  let open = 0;
  for (const character of `${text},`) {
    if (character === '{') open += 1;
    if (character === '}') open -= 1;
    if (open < 0) return refused('closes a brace that is not open');
    if (character === ',' && open === 0) {
      found.push(glob.trim());
      glob = '';
    } else glob += character;
  }
  return open > 0 ? refused('leaves a brace open') : accepted(found.filter((each) => each !== ''));
}

/** Everything that platform-auth reads from its environment. */
export const variables = {
  PLATFORM_USERNAME: variable(text("an account's login name"), {
    means:
      'The platform account; without it the only saved session is used, and `login` and `setup` ask for it in a terminal. `serve` needs it with PLATFORM_PASSWORD if no session is saved',
  }),
  PLATFORM_PASSWORD: variable(secretText('any text'), {
    means:
      'The password, for an account without a second factor; for any other, run `platform-auth setup` once',
  }),
  PLATFORM_REFRESH_TOKEN: variable(refreshToken, {
    means: 'A refresh token for the first login: the service saves it in SESSION_DIR and renews it there',
  }),
  PLATFORM_LOGIN_SPREAD: variable(integer({ min: 0, max: longestSpread }), {
    fallback: 0,
    means:
      'Seconds over which farms behind one IP address spread their first logins; ten seconds for each farm keep the platform from refusing them',
  }),
  ...dataVariables,
  SESSION_DIR: variable(text('a separate directory, on a disk that outlives the container'), {
    fallback: '/data/platform-session',
    isBelowData: true,
    means: 'Where sessions are saved; no other program should be able to read it',
  }),
  GAME_DIR: variable(
    text("a directory on a disk that outlives the container and that the game's container mounts, too"),
    { fallback: '/data/game', means: 'Where the game is downloaded to', isBelowData: true },
  ),
  PLATFORM_DOWNLOAD: variable(choice(['on', 'off']), {
    fallback: 'on',
    means:
      '`off`: this service does not download or update the game; use `platform-auth download` or another service',
  }),
  PLATFORM_BRANCH: variable(text('the name of a branch without a password'), {
    fallback: 'public',
    means: 'The branch of the game that is downloaded',
  }),
  PLATFORM_KEEP_LANGUAGES: variable(languages, {
    fallback: parseKeptLanguages(''),
    fallbackText: '',
    means: 'Languages to download besides English; without its font, a language shows as empty boxes in chat',
  }),
  PLATFORM_KEEP_FILES: variable(globs, {
    fallback: [],
    means: 'Files to download that are left out by default',
  }),
  PLATFORM_SKIP_SDK: variable(flag, {
    fallback: false,
    means: "Whether to leave out the platform's SDK redistributable, which the game server loads",
  }),
  FORCE_REDOWNLOAD: variable(choice(['0', '1']), {
    fallback: '0',
    means: '1: `download` and `setup` fetch every file again, even if it exists',
  }),
  PLATFORM_PROXY: variable(proxy, { means: 'The proxy for all traffic to the platform' }),
  HTTPS_PROXY: variable(proxy, {
    means: 'The proxy when PLATFORM_PROXY is not set; lower case works as well',
  }),
  ALL_PROXY: variable(proxy, {
    means: 'The proxy when neither of the above is set; lower case works as well',
  }),
  NO_PROXY: variable(noProxy, {
    fallback: parseNoProxy(''),
    fallbackText: '',
    means: 'Hosts that are reached without the proxy; this machine always is. Lower case works as well',
  }),
  PLATFORM_AUTH_SECRET: variable(
    headerSecret('ASCII characters; `openssl rand -base64 32` makes a good one'),
    { means: 'The key that callers must send. Without one, anyone who can reach the port gets tickets' },
  ),
  PLATFORM_COMPAT: variable(choice(['none', 'existing']), {
    fallback: 'none',
    means:
      "`existing` also answers the existing server's mod: docs/migrating.md. Its calls have no secret, and are answered only on private networks",
  }),
  HOST: variable(text('an address of this machine'), {
    fallback: '0.0.0.0',
    means: 'The address that the HTTP server listens on',
  }),
  PORT: variable(port, {
    fallback: 3001,
    means: 'The port that the HTTP server listens on; 0 takes a free one',
  }),
  ...instanceVariables,
  ...logVariables,
};

export type PlatformAuthConfiguration = Configuration<typeof variables>;

/** Other programs take these in lower case, too, and an operator's environment may have either. Beside a file, lower case is not used. */
export function withLowerCaseProxies(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { https_proxy, all_proxy, no_proxy } = environment;
  return {
    ...environment,
    HTTPS_PROXY: environment['HTTPS_PROXY'] || (environment['HTTPS_PROXY_FILE'] ? undefined : https_proxy),
    ALL_PROXY: environment['ALL_PROXY'] || (environment['ALL_PROXY_FILE'] ? undefined : all_proxy),
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
