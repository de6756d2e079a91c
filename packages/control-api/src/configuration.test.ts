import { readConfiguration } from '@steward/service-kit/configuration/read';
import type { VariableTable } from '@steward/service-kit/configuration/variable';
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

it('refuses a password in EXISTING_URL, which would stand in each reason why nothing connects, and does not repeat it', () => {
  const url = 'http://ann:hunter/2@farm.example:8080';
  expect(() => readConfiguration(variables, { EXISTING_URL: url.replace('/2', '2') })).toThrow(
    'EXISTING_URL is "http://…@farm.example:8080": it must be an http or https URL without a user, a password, ? and #',
  );
  expect(() => readConfiguration(variables, { EXISTING_URL: url })).not.toThrow(/hunter/);
});

it('keeps everything below DATA_DIR that has no place of its own', () => {
  const { STATE_DIR, SETTINGS_PATH, GAME_MARKER } = readConfiguration(variables, {
    DATA_DIR: '/home/container',
  });
  expect([STATE_DIR, SETTINGS_PATH, GAME_MARKER]).toEqual([
    '/home/container/state',
    '/home/container/settings/server-settings.json',
    '/home/container/game/.download-manifest-413150',
  ]);
  // Nothing is waited for where a game brings its own files, wherever the others lie.
  expect(readConfiguration(variables, { DATA_DIR: '/d', GAME_MARKER: '' }).GAME_MARKER).toBe('');
  expect(inData(variables)).toEqual([]);
});

/** Defaults below /data that DATA_DIR would leave where they are. */
function inData(table: VariableTable): string[] {
  return Object.entries(table).flatMap(([name, { fallback, isBelowData }]) =>
    String(fallback).startsWith('/data/') && !isBelowData ? [name] : [],
  );
}
