import { describe, expect, it } from 'vitest';
import { hostName, normalOrigin, type RequestOrigin, whyRefused } from './browsers.ts';

const rules = {
  allowedOrigins: new Set(['https://panel.example']),
  allowedHosts: new Set(['farm.example']),
};
const nobody: RequestOrigin = {
  host: 'anything.example',
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
};

describe('without a key, a request', () => {
  it.each([
    ['of no browser, whatever its Host', {}],
    ['of a page of this server, by address', { host: '192.0.2.7:8080', origin: 'http://192.0.2.7:8080' }],
    ['of a page of this server, by IPv6 address', { host: '[::1]:8080', origin: 'http://[::1]:8080' }],
    ['of a page of this server, by localhost', { host: 'localhost:8080', origin: 'http://localhost:8080' }],
    ['of a page of this server, by an allowed name', { host: 'farm.example', origin: 'http://farm.example' }],
    ['of such a page behind a proxy with TLS', { host: 'farm.example', origin: 'https://farm.example' }],
    ['of an allowed origin', { host: 'localhost:8080', origin: 'https://panel.example' }],
    ['of its own page, told by Sec-Fetch-Site', { host: 'localhost', fetchSite: 'same-origin' }],
    ['that was typed into the address bar', { host: 'localhost', fetchSite: 'none', fetchMode: 'navigate' }],
    [
      'that follows a link from elsewhere',
      { host: 'localhost', fetchSite: 'cross-site', fetchMode: 'navigate' },
    ],
  ])('%s is served', (_what, request) => {
    expect(whyRefused({ ...nobody, ...request }, rules)).toBeUndefined();
  });

  it.each([
    ['of another page', { host: 'localhost:8080', origin: 'https://evil.example' }, 'API_ALLOWED_ORIGINS'],
    [
      'of a page on another port',
      { host: 'localhost:8080', origin: 'http://localhost:3000' },
      'API_ALLOWED_ORIGINS',
    ],
    ['of a page without an origin', { host: 'localhost:8080', origin: 'null' }, 'API_ALLOWED_ORIGINS'],
    ['of a rebound name', { host: 'evil.example', origin: 'http://evil.example' }, 'API_ALLOWED_HOSTS'],
    [
      'of a rebound name, told by Sec-Fetch-Site',
      { host: 'evil.example', fetchSite: 'same-origin' },
      'API_ALLOWED_HOSTS',
    ],
    ['of a browser that names no host', { host: undefined, origin: 'http://localhost' }, 'API_ALLOWED_HOSTS'],
    [
      'of an allowed origin under a strange name',
      { host: 'evil.example', origin: 'https://panel.example' },
      'API_ALLOWED_HOSTS',
    ],
    [
      'that embeds an answer elsewhere',
      { host: 'localhost', fetchSite: 'cross-site', fetchMode: 'no-cors' },
      'other sites',
    ],
    [
      'of a name that only begins like an address',
      { host: '127.0.0.1.evil.example', origin: 'http://x' },
      'API_ALLOWED_HOSTS',
    ],
  ])('%s is refused', (_what, request, words) => {
    expect(whyRefused({ ...nobody, ...request }, rules)).toContain(words);
  });
});

it.each([
  ['https://panel.example', 'https://panel.example'],
  ['HTTPS://Panel.Example/', 'https://panel.example'],
  ['http://panel.example:8080', 'http://panel.example:8080'],
  ['https://panel.example/path', undefined],
  ['panel.example', undefined],
  ['ftp://panel.example', undefined],
  ['*', undefined],
  ['null', undefined],
])('reads %s as the origin %s', (text, origin) => {
  expect(normalOrigin(text)).toBe(origin);
});

it.each([
  ['farm.example', 'farm.example'],
  ['Farm.Example', 'farm.example'],
  ['farm.example:8080', undefined],
  ['http://farm.example', undefined],
  ['farm.example/x', undefined],
])('reads %s as the host %s', (text, host) => {
  expect(hostName(text)).toBe(host);
});
