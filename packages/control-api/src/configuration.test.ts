import { readConfiguration } from '@steward/service-kit/configuration/read';
import { expect, it } from 'vitest';
import { variables } from './configuration.ts';

const read = (environment: Record<string, string>) =>
  readConfiguration(variables, environment).PLATFORM_AUTH_URL?.href;

it('finds the sidecar of the compose file when nothing is set', () => {
  expect(read({})).toBe('http://platform-auth:3001/');
});

it('does without a sidecar when the URL is set but empty', () => {
  expect(read({ PLATFORM_AUTH_URL: '' })).toBeUndefined();
});

it.each(['platform-auth:3001', 'ftp://platform-auth', '//platform-auth', 'http://'])('refuses %s', (url) => {
  expect(() => read({ PLATFORM_AUTH_URL: url })).toThrow(
    `PLATFORM_AUTH_URL is "${url}": it must be an http or https URL`,
  );
});
