import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretNames } from '@steward/service-kit/configuration/variable';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { variables } from '../../src/configuration.ts';
import { gameEnvironment } from '../../src/game/modes/game-command.ts';

const entry = 'packages/control-api/src/main.ts';
const secrets = secretNames(variables);
const values = secrets.filter((name) => !name.endsWith('_FILE'));
const files = secrets.filter((name) => name.endsWith('_FILE'));

/** A program that is no game: it writes down its environment and waits for the end of its input. */
const writesItsEnvironment = `
  require('node:fs').writeFileSync(process.env.WRITE_TO, JSON.stringify(process.env));
  process.stderr.write('written\\n');
  process.stdin.on('end', () => process.exit(0)).resume();`;

function spawning(directory: string): NodeJS.ProcessEnv {
  return {
    API_ENABLED: 'false',
    STATE_DIR: join(directory, 'state'),
    SETTINGS_PATH: join(directory, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify([process.execPath, '-e', writesItsEnvironment]),
    LOG_FORMAT: 'json',
  };
}

async function environmentOfGame(directory: string, given: Record<string, string>): Promise<object> {
  const WRITE_TO = join(directory, 'environment.json');
  await using api = new Program(entry, [], {
    ...spawning(directory),
    WRITE_TO,
    GAME_ENV: 'WRITE_TO',
    ...given,
  });
  await api.line(/"written"/);
  api.kill('SIGTERM');
  await api.exited;
  return JSON.parse(readFileSync(WRITE_TO, 'utf8')) as object;
}

it('gives a started game the environment, without one secret of the service', async () => {
  using directory = temporaryDirectory();
  const given = Object.fromEntries(values.map((name) => [name, 'canary']));
  const environment = await environmentOfGame(directory.path, { ...given, LANG: 'C.UTF-8' });
  expect(secrets).toEqual(expect.arrayContaining(['API_KEY', 'GAME_BRIDGE_SECRET']));
  expect(JSON.stringify(environment)).not.toContain('canary');
  expect(environment).toMatchObject({ GAME_BRIDGE: 'spawn', LANG: 'C.UTF-8', PATH: process.env['PATH'] });
});

it('gives it nothing of a sidecar that is configured in the same environment, whatever GAME_ENV names beside', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'canary');
  writeFileSync(file, 'a secret');
  const sidecar = {
    PLATFORM_USERNAME: 'canary',
    PLATFORM_PASSWORD: 'canary',
    PLATFORM_REFRESH_TOKEN_FILE: file,
    PLATFORM_PROXY: 'http://canary:canary@127.0.0.1:1',
    HTTPS_PROXY: 'http://canary:canary@127.0.0.1:1',
    https_proxy: 'http://canary:canary@127.0.0.1:1',
  };
  const environment = await environmentOfGame(directory.path, {
    ...sidecar,
    GAME_ENV: 'WRITE_TO, PLATFORM_*',
  });
  expect(JSON.stringify(environment)).not.toContain('canary:');
  expect(Object.values(environment)).not.toContain('canary');
  expect(environment).not.toHaveProperty('PLATFORM_REFRESH_TOKEN_FILE');
});

it('does not tell it either which files hold them', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'canary');
  writeFileSync(file, 'a secret');
  const given = Object.fromEntries(files.map((name) => [name, file]));
  const environment = await environmentOfGame(directory.path, given);
  expect(Object.values(environment)).not.toContain(file);
});

it('warns when the control API itself was given what is the sidecar’s alone', async () => {
  using directory = temporaryDirectory();
  await using api = new Program(entry, [], {
    ...spawning(directory.path),
    WRITE_TO: '/dev/null',
    PLATFORM_PASSWORD: 'canary',
    PLATFORM_REFRESH_TOKEN_FILE: '/run/secrets/token',
  });
  await api.line(/PLATFORM_PASSWORD and PLATFORM_REFRESH_TOKEN_FILE are set here.*only for the sidecar/);
  expect(api.stdout.join('\n')).not.toContain('canary');
});

it('refuses a GAME_ENV that names a secret', async () => {
  using directory = temporaryDirectory();
  await using api = new Program(entry, [], {
    ...spawning(directory.path),
    GAME_ENV: 'DISPLAY, API_KEY_FILE',
  });
  expect(await api.exited).toMatchObject({ code: 1 });
  expect(api.stderr).toEqual([expect.stringMatching(/^control-api: GAME_ENV names API_KEY_FILE, .*never/)]);
});

const withheld = [
  ...secrets,
  'PLATFORM_USERNAME',
  'PLATFORM_PASSWORD',
  'PLATFORM_REFRESH_TOKEN',
  'PLATFORM_PROXY',
];
const everything = { ...Object.fromEntries(withheld.map((name) => [name, 'x'])), HTTPS_PROXY: 'x' };

it.each([
  [[], { HOME: '/root', LC_ALL: 'C', XDG_RUNTIME_DIR: '/run', MONO_PATH: '/m' }, { MOD_KEY: 'm', LCD: 'x' }],
  [['MOD_*', 'HTTPS_PROXY'], { MOD_KEY: 'm', MOD_DIR: '/mod', HTTPS_PROXY: 'x' }, { MODE: 'x' }],
  [['MOD_KEY'], { MOD_KEY: 'm' }, { MOD_KEYS: 'x' }],
  [['P*', 'A*', 'G*', 'E*'], {}, {}],
])('passes on what the system has and what GAME_ENV names: %j', (added, passed, kept) => {
  expect(gameEnvironment(added, { ...everything, ...kept, ...passed }, secrets)).toEqual(passed);
});
