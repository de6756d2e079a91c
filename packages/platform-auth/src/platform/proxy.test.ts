import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseNoProxy } from './no-proxy.ts';
import { chooseProxies, type ProxyAddress, type ProxySettings, parseProxy } from './proxy.ts';

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
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseProxy(text).ok).toBeTypeOf('boolean');
    }),
  );
});

function address(url: string): ProxyAddress {
  const parsed = parseProxy(url);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const nothing: ProxySettings = {
  PLATFORM_PROXY: undefined,
  HTTPS_PROXY: undefined,
  ALL_PROXY: undefined,
  NO_PROXY: parseNoProxy(''),
};
const [own, https, all] = [address('http://own'), address('http://https'), address('socks5://all')];
const host = new URL('https://cdn.example/depot');

it('takes PLATFORM_PROXY before HTTPS_PROXY before ALL_PROXY, and none without them', () => {
  expect(chooseProxies({ ...nothing, PLATFORM_PROXY: own, HTTPS_PROXY: https, ALL_PROXY: all })(host)).toBe(
    own,
  );
  expect(chooseProxies({ ...nothing, HTTPS_PROXY: https, ALL_PROXY: all })(host)).toBe(https);
  expect(chooseProxies({ ...nothing, ALL_PROXY: all })(host)).toBe(all);
  expect(chooseProxies(nothing)(host)).toBeUndefined();
});

it('goes straight to what NO_PROXY names, whichever variable names the proxy', () => {
  const proxyFor = chooseProxies({ ...nothing, PLATFORM_PROXY: own, NO_PROXY: parseNoProxy('.example') });
  expect(proxyFor(host)).toBeUndefined();
  expect(proxyFor(new URL('https://elsewhere.test'))).toBe(own);
});

it.each(['http://127.0.0.1:27015', 'http://127.8.9.1', 'http://[::1]:80', 'http://localhost/'])(
  'goes straight to this machine: %s',
  (url) => expect(chooseProxies({ ...nothing, PLATFORM_PROXY: own })(new URL(url))).toBeUndefined(),
);
