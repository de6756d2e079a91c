import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { gameMarkerName } from '@steward/shared/sidecar/download';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doctorReport } from '../../src/commands/doctor/report.ts';
import { exitCodes } from '../../src/commands/run/exit-codes.ts';
import { Emulated, gameApp } from '../world/emulated.ts';

// Everything that must not be pasted into an issue carries a mark; the doctor meets all of it, well and broken.
const account = 'canary-account';
const secret = 'canary-secret-of-the-sidecar';
const proxyPassword = 'canary-proxy-password';

const commands = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => commands[Symbol.asyncDispose]());

const home = temporaryDirectory();
const newerGame = join(home.path, 'canary-home', 'game');
mkdirSync(newerGame, { recursive: true });
writeFileSync(join(newerGame, gameMarkerName), '{"version":99}');
const noSessions = join(home.path, 'canary-home', 'sessions');
mkdirSync(noSessions);

let world: Emulated;
let token: string;
beforeAll(async () => {
  world = await Emulated.start({
    accounts: [{ name: account, password: 'canary-password', owns: [gameApp] }],
  });
  token = await world.saveSession(account);
});
afterAll(async () => {
  home[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

/** A program of its own, or a command in turn with others. */
type Run = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
) => Promise<{ code: number | null; out: string; err: string }>;

async function surroundings(): Promise<NodeJS.ProcessEnv> {
  const { host } = new URL(world.platform.proxyUrl);
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    SESSION_DIR: world.directory,
    GAME_DIR: join(world.directory, 'canary-home', 'game'),
    PLATFORM_PROXY: `http://canary-user:${proxyPassword}@${host}`,
    PLATFORM_AUTH_SECRET: secret,
    NODE_EXTRA_CA_CERTS: world.platform.caFile,
  };
}

const run: Run = async (args, environment) => {
  const all = { ...(await surroundings()), ...environment };
  await using program = new Program('packages/platform-auth/src/main.ts', ['doctor', ...args], all);
  const { code } = await program.exited;
  return { code, out: program.stdout.join('\n'), err: program.stderr.join('\n') };
};

const runInTurn: Run = async (args, environment) => {
  const all = { ...(await surroundings()), ...environment };
  const { code, stdout, stderr } = await commands.run(['doctor', ...args], all);
  return { code, out: stdout.join('\n'), err: stderr.join('\n') };
};

const situations: readonly (readonly [string, NodeJS.ProcessEnv, keyof typeof exitCodes])[] = [
  ['all is well', {}, 'ok'],
  [
    'a token is given, and a password',
    { PLATFORM_USERNAME: account, PLATFORM_PASSWORD: 'canary-password' },
    'ok',
  ],
  ['the account is another', { PLATFORM_USERNAME: 'canary-other' }, 'no-credentials'],
  ['the proxy is none', { PLATFORM_PROXY: `ftp://canary-user:${proxyPassword}@host` }, 'failure'],
  [
    'the proxy is not there',
    { PLATFORM_PROXY: `http://canary-user:${proxyPassword}@127.0.0.1:9` },
    'network',
  ],
  [
    'a file is not there',
    { PLATFORM_PASSWORD_FILE: '/canary-home/password', PLATFORM_USERNAME: account },
    'failure',
  ],
  ['a token is malformed beside a session', { PLATFORM_REFRESH_TOKEN: 'canary.token.malformed' }, 'ok'],
  [
    'a token is malformed, and there is no session',
    { PLATFORM_REFRESH_TOKEN: 'canary.token.malformed', SESSION_DIR: noSessions },
    'login-refused',
  ],
  ['a newer version has downloaded the game', { GAME_DIR: newerGame }, 'disk'],
  ['so it has, and GAME_DIR is spelled oddly', { GAME_DIR: `${home.path}//canary-home/game/` }, 'disk'],
  ['the disk is no directory', { SESSION_DIR: '/dev/null/canary-home' }, 'disk'],
];

describe('what the doctor prints can be pasted anywhere', () => {
  it.each(situations)('when %s', async (_name, environment, end) => {
    const { code, out, err } = await (end === 'ok' ? run : runInTurn)([], environment);
    expect(code).toBe(exitCodes[end].code);
    expect(err).toBe('');
    expect(out.split('\n')).toHaveLength(20);
    expect(out).not.toContain('canary');
    for (const text of [token, world.platform.accounts.get(account).steamId, world.directory])
      expect(out).not.toContain(text);
    expect(out).not.toMatch(/eyJ[\w-]{8,}\./);
    expect(out).not.toContain('\u001b');
  });
});

it('prints the same as JSON', async () => {
  const { code, out } = await runInTurn(['--json'], {});
  const report = doctorReport.parse(JSON.parse(out));
  expect(report.exit_code).toBe(code);
  expect(report.checks.map(({ check }) => check)).toContain('ownership');
  expect(out).not.toContain('canary');
});
