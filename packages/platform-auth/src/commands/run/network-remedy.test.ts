import { readConfiguration } from '@steward/service-kit/configuration/read';
import { expect, it } from 'vitest';
import { variables } from '../../configuration.ts';
import { networkRemedy } from './network-remedy.ts';

it.each([
  [{}, 'Try again later; behind a proxy, set PLATFORM_PROXY'],
  [{ PLATFORM_PROXY: 'http://ann:SECRET@a:1' }, 'Try again later, or mend the proxy of PLATFORM_PROXY'],
  [{ ALL_PROXY: 'socks5://a:1' }, 'Try again later, or mend the proxy of ALL_PROXY'],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: '*' }, 'Try again later; behind a proxy, set PLATFORM_PROXY'],
])('fits the proxy that leads to the platform: %j', (environment, remedy) => {
  expect(networkRemedy(readConfiguration(variables, environment))).toBe(remedy);
});
