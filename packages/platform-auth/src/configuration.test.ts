import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { variables, withLowerCaseProxies } from './configuration.ts';
import { chooseProxies } from './platform/proxy.ts';

function proxyOf(environment: NodeJS.ProcessEnv, url = 'https://a.example'): string | undefined {
  const configuration = readConfiguration(variables, withLowerCaseProxies(environment));
  return chooseProxies(configuration)(new URL(url))?.url.reveal();
}

it.each(['PLATFORM_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'https_proxy', 'all_proxy'])('takes %s', (name) => {
  expect(proxyOf({ [name]: 'http://proxy:3128' })).toBe('http://proxy:3128');
});

it.each(['NO_PROXY', 'no_proxy'])('excepts what %s names', (name) => {
  const environment = { PLATFORM_PROXY: 'http://proxy:3128', [name]: 'b.example' };
  expect(proxyOf(environment)).toBe('http://proxy:3128');
  expect(proxyOf(environment, 'https://cdn.b.example')).toBeUndefined();
});

it('takes upper case before lower case, and an empty one for none', () => {
  expect(proxyOf({ HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1' })).toBe('http://upper:1');
  expect(proxyOf({ HTTPS_PROXY: '', https_proxy: 'http://lower:1' })).toBe('http://lower:1');
});

it.each(['HTTPS_PROXY', 'ALL_PROXY'])('takes the file of %s before lower case', (name) => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'proxy');
  writeFileSync(file, 'http://file:1\n');
  expect(proxyOf({ [`${name}_FILE`]: file, [name.toLowerCase()]: 'http://lower:1' })).toBe('http://file:1');
});

it('keeps everything below DATA_DIR that has no place of its own', () => {
  expect(readConfiguration(variables, { DATA_DIR: '/home/container' })).toMatchObject({
    SESSION_DIR: '/home/container/platform-session',
    GAME_DIR: '/home/container/game',
  });
});

it.each(['token\n', ' token', 'token\r\n\n'])(
  'takes %j for the token in it, as secrets are often made by echo',
  (given) => {
    const { PLATFORM_REFRESH_TOKEN: token } = readConfiguration(variables, { PLATFORM_REFRESH_TOKEN: given });
    expect(token?.reveal()).toBe('token');
  },
);

it.each<[string, readonly string[]]>([
  ['Content/XACT/*, Content/**/*.{de-DE,fr-FR}.xnb', ['Content/XACT/*', 'Content/**/*.{de-DE,fr-FR}.xnb']],
  [' {a,{b,c}}/* ,, **/*.pdb ,', ['{a,{b,c}}/*', '**/*.pdb']],
])('takes %j for globs that may have commas in their braces', (PLATFORM_KEEP_FILES, globs) => {
  expect(readConfiguration(variables, { PLATFORM_KEEP_FILES })).toMatchObject({ PLATFORM_KEEP_FILES: globs });
});

it.each(['*.{de-DE,fr-FR.xnb, **/*.pdb', '*.de-DE,fr-FR}.xnb', '*.}{'])(
  'refuses %j, whose braces do not say where a glob ends',
  (PLATFORM_KEEP_FILES) => {
    expect(() => readConfiguration(variables, { PLATFORM_KEEP_FILES })).toThrow(
      /^PLATFORM_KEEP_FILES is .*: it must be globs .*, with every brace closed$/,
    );
  },
);
