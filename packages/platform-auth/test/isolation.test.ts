import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { secretNames } from '@steward/service-kit/configuration/variable';
import { socketsAfterSigusr1 } from '@steward/testing/inspector';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { variables } from '../src/configuration.ts';
import { existingPrefix } from '../src/http/existing/existing-routes.ts';
import { AtTerminal, surroundings } from './world/at-terminal.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';
import { runCommand } from './world/run-command.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

// Marker credentials go through every path, every failure and a crash; then everything that came out is searched for them.
const password = 'canary-"password"-in-the-mine';
const guardCode = 'CNRY7';
const authSecret = 'canary-secret-of-the-sidecar';

interface Run {
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv;
  /** What the platform does to it, once it listens. */
  readonly strike?: (world: Emulated, sidecar: SidecarProcess) => Promise<void> | void;
  /** What its log says when the run has seen enough. */
  readonly until: RegExp;
}

const withPassword = { PLATFORM_USERNAME: 'canary', PLATFORM_PASSWORD: password };

const runs: readonly Run[] = [
  { name: 'a login by password', environment: withPassword, until: /Logged in with PLATFORM_PASSWORD/ },
  {
    name: 'a login that the existing server’s mod asks for',
    environment: { ...withPassword, PLATFORM_COMPAT: 'existing' },
    until: /Logged in with PLATFORM_PASSWORD/,
  },
  {
    name: 'a wrong password',
    environment: { ...withPassword, PLATFORM_PASSWORD: `${password}!` },
    until: /Name or password is wrong/,
  },
  {
    name: 'a second factor',
    environment: { PLATFORM_USERNAME: 'guarded', PLATFORM_PASSWORD: password },
    until: /second factor/,
  },
  {
    name: 'a token',
    environment: { PLATFORM_REFRESH_TOKEN: 'minted' },
    until: /Logged in with PLATFORM_REFRESH_TOKEN/,
  },
  {
    name: 'a malformed token',
    environment: { PLATFORM_REFRESH_TOKEN: 'canary.token.malformed' },
    until: /is not a refresh token/,
  },
  {
    name: 'a token that is revoked while in use',
    environment: { PLATFORM_REFRESH_TOKEN: 'minted' },
    async strike({ platform }, sidecar) {
      await sidecar.healthWhere(({ logged_in }) => logged_in);
      platform.revokeAll('canary');
      platform.dropConnections();
    },
    until: /no longer accepts/,
  },
  {
    name: 'a platform that talks nonsense',
    environment: { PLATFORM_REFRESH_TOKEN: 'minted' },
    async strike({ platform }, sidecar) {
      await sidecar.healthWhere(({ logged_in }) => logged_in);
      platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { damage: 'truncated' } });
      platform.dropConnections();
    },
    until: /"level":50|"level":40/,
  },
  {
    name: 'a crash',
    environment: { ...withPassword, CRASH: 'ours' },
    async strike(_world, sidecar) {
      await sidecar.healthWhere(({ logged_in }) => logged_in);
      sidecar.program.kill('SIGUSR2');
      await sidecar.program.exited;
    },
    until: /crashed while holding/,
  },
];

let world: Emulated;
let home: ReturnType<typeof temporaryDirectory>;
const out: string[] = [];
const tokens = new Set<string>();

beforeEach(async () => {
  out.length = 0;
  tokens.clear();
  home = temporaryDirectory();
  world = await Emulated.start({
    accounts: [
      { name: 'canary', password, owns: [gameApp] },
      { name: 'guarded', password, owns: [gameApp], guards: ['email-code', 'device-code'], guardCode },
    ],
  });
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

type Compat = 'none' | 'existing';

const serverMade = 'fastify.initialization';

const known = new Map<Compat, readonly string[]>();

async function pathsOf(compat: Compat): Promise<readonly string[]> {
  const paths = known.get(compat) ?? (await findPaths(compat));
  known.set(compat, paths);
  return paths;
}

/** Every path that the sidecar has, as its server is told of each, and one that it does not have. */
async function findPaths(compat: Compat): Promise<readonly string[]> {
  const paths = new Set<string>();
  const listen = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ url }) => {
      paths.add(url);
    });
  };
  using directory = temporaryDirectory();
  subscribe(serverMade, listen);
  try {
    const { platform } = world;
    await using local = await LocalSidecar.start({ platform, directory: directory.path, compat });
    await local.sidecar.app.ready();
  } finally {
    unsubscribe(serverMade, listen);
  }
  return [...paths, '/nothing'];
}

it.each([
  ['none', ['/health', '/download/publish', '/metrics']],
  ['existing', ['/health', '/download/publish', '/steam/app-ticket', '/steam/lobby/create']],
] as const)('every path of the server is asked, with PLATFORM_COMPAT=%s', async (compat, some) => {
  expect(await findPaths(compat)).toEqual(expect.arrayContaining([...some]));
});

async function askEverything(sidecar: SidecarProcess, paths: readonly string[]): Promise<void> {
  const key = { authorization: `Bearer ${authSecret}` };
  const cutOff = `{"lobby_id":1,"metadata":{"code":"${guardCode}"}`;
  for (const headers of [key, { authorization: 'Bearer wrong' }]) {
    for (const path of paths) {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS']) {
        const isMods = method === 'POST' && path.startsWith(existingPrefix);
        const body = isMods ? { body: `${cutOff}}` } : method === 'PUT' ? { body: cutOff } : {};
        const answer = await fetch(`${sidecar.origin}${path}`, {
          method,
          headers: isMods ? { ...headers, 'content-type': 'application/json' } : headers,
          ...body,
        });
        out.push(JSON.stringify([...answer.headers]), await answer.text());
      }
    }
  }
}

async function carryOut({ environment, strike, until }: Run): Promise<void> {
  const isMinted = environment['PLATFORM_REFRESH_TOKEN'] === 'minted';
  const token = isMinted ? world.platform.refreshToken('canary') : environment['PLATFORM_REFRESH_TOKEN'];
  if (token !== undefined) tokens.add(token);
  const paths = await pathsOf(environment['PLATFORM_COMPAT'] === 'existing' ? 'existing' : 'none');
  await using sidecar = await SidecarProcess.start(world.platform, {
    ...environment,
    ...(token === undefined ? {} : { PLATFORM_REFRESH_TOKEN: token }),
    SESSION_DIR: world.directory,
    PLATFORM_AUTH_SECRET: authSecret,
    CLOCK_SPEED: '100',
    CRASH_TEXT: `${password} and ${world.platform.refreshToken('canary')}`,
    LOG_LEVEL: 'trace',
    DEBUG: '*',
    HOME: home.path,
    TMPDIR: home.path,
    XDG_DATA_HOME: home.path,
  });
  await strike?.(world, sidecar);
  await sidecar.program.line(until);
  if (sidecar.program.running) await askEverything(sidecar, paths);
  sidecar.program.kill('SIGTERM');
  await sidecar.program.exited;
  out.push(...sidecar.program.stdout, ...sidecar.program.stderr);
  const saved = await world.savedToken('canary');
  if (saved !== undefined) tokens.add(saved);
}

function expectNoCredential(everything: string, alsoSecret: readonly string[]): void {
  const canaries = [password, JSON.stringify(password).slice(1, -1), ...tokens, ...alsoSecret];
  for (const canary of canaries) expect(everything).not.toContain(canary);
  // The platform signs many tokens; whatever looks like one must not be there either.
  expect(everything).not.toMatch(/eyJ[\w-]{8,}\.[\w-]{8,}\./);
  expect(filesBelow(home.path)).toEqual([]);
}

describe('no credential leaves the service', () => {
  it.each(runs)('in $name', async (run) => {
    await carryOut(run);
    const everything = out.join('\n');
    expect(everything.length).toBeGreaterThan(100);
    expectNoCredential(everything, [guardCode, authSecret]);
  });
});

it('no credential leaves through Node’s inspector: SIGUSR1 opens none', async () => {
  await using sidecar = await SidecarProcess.start(world.platform, {
    ...withPassword,
    SESSION_DIR: world.directory,
  });
  await sidecar.healthWhere(({ logged_in }) => logged_in);
  expect(await socketsAfterSigusr1(sidecar.program.pid)).toBe(0);
  expect(await sidecar.health()).toMatchObject({ logged_in: true });
});

/** What a command is given, and how it ends. */
interface CommandRun {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly code: number;
}

const guarded = { PLATFORM_USERNAME: 'guarded', PLATFORM_PASSWORD: password };
const wrong = { ...withPassword, PLATFORM_PASSWORD: `${password}!` };
const revoked = { PLATFORM_REFRESH_TOKEN: 'revoked' };

const commandRuns: readonly CommandRun[] = [
  { args: ['ticket'], environment: { ...withPassword, ...revoked }, code: 0 },
  { args: ['ticket'], environment: { PLATFORM_REFRESH_TOKEN: 'canary.token.malformed' }, code: 3 },
  { args: ['login'], environment: wrong, code: 3 },
  { args: ['setup'], environment: guarded, code: 4 },
  { args: ['export-token'], environment: withPassword, code: 9 },
  { args: ['download'], environment: withPassword, code: 0 },
  {
    args: ['healthcheck', '--ready'],
    environment: { ...withPassword, HOST: '127.0.0.1', PORT: '9' },
    code: 1,
  },
];

function commandSurroundings(): NodeJS.ProcessEnv {
  const noisy = { LOG_LEVEL: 'trace', DEBUG: '*', PLATFORM_AUTH_SECRET: authSecret };
  return {
    ...noisy,
    HOME: home.path,
    TMPDIR: home.path,
    XDG_DATA_HOME: home.path,
  };
}

describe('no credential leaves a command', () => {
  it.each(commandRuns)('in $args that ends with $code', async ({ args, environment, code }) => {
    const token = world.platform.refreshToken('canary');
    world.platform.revoke(token);
    tokens.add(token);
    const given =
      environment['PLATFORM_REFRESH_TOKEN'] === 'revoked' ? { PLATFORM_REFRESH_TOKEN: token } : {};
    const outcome = await runCommand(world, args, { ...commandSurroundings(), ...environment, ...given });
    const saved = await world.savedToken('canary');
    if (saved !== undefined) tokens.add(saved);
    expect(outcome.code).toBe(code);
    expectNoCredential(`${outcome.stdout.join('\n')}\n${outcome.stderr}`, [
      authSecret,
      'canary.token.malformed',
    ]);
  });

  it('but for export-token, and there only to stdout', async () => {
    const token = await world.saveSession('canary');
    const { stdout, stderr } = await runCommand(world, ['export-token'], commandSurroundings());
    expect(stdout).toEqual([token]);
    tokens.add(token);
    expectNoCredential(stderr, [authSecret]);
  });

  it('in setup on a terminal, where the password is typed', async () => {
    await using person = new AtTerminal('setup', { ...surroundings(world), ...commandSurroundings() });
    await person.enterPassword('guarded', password);
    await person.answer(/Code from/, guardCode);
    await person.shows(/Logged in as guarded/);
    expect(await person.exited).toBe(0);
    tokens.add((await world.savedToken('guarded')) ?? 'nothing was saved');
    expectNoCredential(person.raw, [authSecret]);
  });
});

it('no credential reaches a game that is started where the sidecar is configured, too', async () => {
  const token = world.platform.refreshToken('canary');
  tokens.add(token);
  const proxy = `http://canary:${encodeURIComponent(password)}@127.0.0.1:9`;
  const given: Record<string, string> = { ...withPassword, PLATFORM_REFRESH_TOKEN: token };
  for (const name of secretNames(variables)) given[name] ??= name.endsWith('_FILE') ? home.path : proxy;
  const tellsAll = 'console.error("all:", JSON.stringify(process.env)); process.stdin.resume();';
  await using api = new Program('packages/control-api/src/main.ts', [], {
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('PLATFORM_AUTH_'))),
    PLATFORM_AUTH_SECRET: authSecret,
    API_KEY: authSecret,
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    STATE_DIR: world.directory,
    SETTINGS_PATH: join(world.directory, 'server-settings.json'),
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify([process.execPath, '--eval', tellsAll]),
    LOG_FORMAT: 'json',
  });
  await api.line(/all: .*PATH/);
  const everything = [...api.stdout, ...api.stderr].join('\n');
  expectNoCredential(everything, [authSecret, encodeURIComponent(password), 'canary:']);
  for (const name of secretNames(variables)) expect(everything).not.toContain(`\\"${name}\\":`);
});

it('and SESSION_DIR, which holds them, is for the owner alone', async () => {
  await world.saveSession('canary');
  const files = filesBelow(world.directory);
  expect(files).toHaveLength(1);
  expect(files.some((file) => readFileSync(file, 'utf8').includes('eyJ'))).toBe(true);
  for (const file of files) expect(statSync(file).mode & 0o077).toBe(0);
});

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
