import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { variables } from '../../src/configuration.ts';

const secrets = Object.entries(variables).flatMap(([name, { secret }]) => (secret ? [name] : []));

/** A program that is no game: it writes down its environment and waits for the end of its input. */
const writesItsEnvironment = `
  require('node:fs').writeFileSync(process.env.WRITE_TO, JSON.stringify(process.env));
  process.stderr.write('written\\n');
  process.stdin.on('end', () => process.exit(0)).resume();`;

async function environmentOfGame(directory: string, given: Record<string, string>): Promise<object> {
  const WRITE_TO = join(directory, 'environment.json');
  await using api = new Program('packages/control-api/src/main.ts', [], {
    API_ENABLED: 'false',
    STATE_DIR: join(directory, 'state'),
    SETTINGS_PATH: join(directory, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify([process.execPath, '-e', writesItsEnvironment]),
    LOG_FORMAT: 'json',
    WRITE_TO,
    ...given,
  });
  await api.line(/"written"/);
  api.kill('SIGTERM');
  await api.exited;
  return JSON.parse(readFileSync(WRITE_TO, 'utf8')) as object;
}

it('gives a started game the environment, without one secret of the service', async () => {
  using directory = temporaryDirectory();
  const given = Object.fromEntries(secrets.map((name) => [name, 'canary']));
  const environment = await environmentOfGame(directory.path, given);
  expect(secrets).toEqual(expect.arrayContaining(['API_KEY', 'GAME_BRIDGE_SECRET']));
  expect(JSON.stringify(environment)).not.toContain('canary');
  expect(environment).toMatchObject({ GAME_BRIDGE: 'spawn', WRITE_TO: expect.any(String) });
});

it('does not tell it either which files hold them', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'canary');
  writeFileSync(file, 'a secret');
  const given = Object.fromEntries(secrets.map((name) => [`${name}_FILE`, file]));
  const environment = await environmentOfGame(directory.path, given);
  expect(JSON.stringify(environment)).not.toContain('canary');
  expect(environment).toMatchObject({ WRITE_TO: expect.any(String) });
});
