import fc from 'fast-check';
import { expect, it } from 'vitest';
import { libraryProxy, parseProxy } from './proxy.ts';

it.each([
  ['http://proxy:3128', { httpProxy: 'http://proxy:3128' }],
  ['https://proxy', { httpProxy: 'https://proxy:443' }],
  ['proxy:3128', { httpProxy: 'http://proxy:3128' }],
  ['http://ann:p%40ss@proxy:3128/', { httpProxy: 'http://ann:p%40ss@proxy:3128' }],
  ['socks5://proxy', { socksProxy: 'socks5h://proxy:1080' }],
  ['socks5h://[::1]:9050', { socksProxy: 'socks5h://[::1]:9050' }],
])('gives %s to the libraries as they take it', (text, expected) => {
  const parsed = parseProxy(text);
  expect(parsed.ok && libraryProxy(parsed.value)).toEqual(expected);
});

it.each([['ftp://proxy'], ['http://'], ['socks4://proxy'], ['http://a b'], ['://']])('refuses %s', (text) => {
  expect(parseProxy(text).ok).toBe(false);
});

it('never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof parseProxy(text).ok === 'boolean'));
});
