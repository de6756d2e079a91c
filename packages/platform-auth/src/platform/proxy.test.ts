import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseProxy } from './proxy.ts';

it.each([
  ['http://proxy:3128', 'http', 'http://proxy:3128'],
  ['https://proxy', 'http', 'https://proxy:443'],
  ['proxy:3128', 'http', 'http://proxy:3128'],
  ['proxy:80/', 'http', 'http://proxy:80'],
  ['ann:p%40ss@proxy:3128', 'http', 'http://ann:p%40ss@proxy:3128'],
  ['http://ann:p%40ss@proxy:3128/', 'http', 'http://ann:p%40ss@proxy:3128'],
  ['socks5://proxy', 'socks', 'socks5h://proxy:1080'],
  ['socks5h://[::1]:9050', 'socks', 'socks5h://[::1]:9050'],
])('reads %s as the libraries take it', (text, kind, url) => {
  const parsed = parseProxy(text);
  expect(parsed.ok && { kind: parsed.value.kind, url: parsed.value.url.reveal() }).toEqual({ kind, url });
});

it.each([
  ['banana'],
  ['ann:pass@proxy'],
  ['ftp://proxy'],
  ['http://'],
  ['socks4://proxy'],
  ['http://a b'],
  ['://'],
])('refuses %s', (text) => {
  expect(parseProxy(text).ok).toBe(false);
});

it('never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof parseProxy(text).ok === 'boolean'));
});
