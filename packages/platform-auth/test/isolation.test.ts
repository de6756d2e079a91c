import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emulated, gameApp } from './world/emulated.ts';
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
    name: 'a wrong password',
    environment: { ...withPassword, PLATFORM_PASSWORD: `${password}!` },
    until: /InvalidPassword/,
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

async function askEverything(sidecar: SidecarProcess): Promise<void> {
  const key = { authorization: `Bearer ${authSecret}` };
  for (const headers of [key, { authorization: 'Bearer wrong' }]) {
    for (const path of ['/health', '/platform/app-ticket', '/platform/lobby', '/metrics', '/nothing']) {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS']) {
        const body = method === 'PUT' ? { body: `{"metadata":{"code":"${guardCode}"}` } : {};
        const answer = await fetch(`${sidecar.origin}${path}`, { method, headers, ...body });
        out.push(JSON.stringify([...answer.headers]), await answer.text());
      }
    }
  }
}

async function carryOut({ environment, strike, until }: Run): Promise<void> {
  const isMinted = environment['PLATFORM_REFRESH_TOKEN'] === 'minted';
  const token = isMinted ? world.platform.refreshToken('canary') : environment['PLATFORM_REFRESH_TOKEN'];
  if (token !== undefined) tokens.add(token);
  await using sidecar = await SidecarProcess.start(world.platform, {
    ...environment,
    ...(token === undefined ? {} : { PLATFORM_REFRESH_TOKEN: token }),
    SESSION_DIR: world.directory,
    PLATFORM_AUTH_SECRET: authSecret,
    CLOCK_SPEED: '100',
    CRASH_TEXT: `${password} and ${world.platform.refreshToken('canary')}`,
    LOG_LEVEL: 'trace',
    HOME: home.path,
    TMPDIR: home.path,
    XDG_DATA_HOME: home.path,
  });
  await strike?.(world, sidecar);
  await sidecar.program.line(until);
  if (sidecar.program.running) await askEverything(sidecar);
  sidecar.program.kill('SIGTERM');
  await sidecar.program.exited;
  out.push(...sidecar.program.stdout, ...sidecar.program.stderr);
  const saved = await world.savedToken('canary');
  if (saved !== undefined) tokens.add(saved);
}

describe('no credential leaves the service', () => {
  it.each(runs)('in $name', async (run) => {
    await carryOut(run);
    const everything = out.join('\n');
    expect(everything.length).toBeGreaterThan(100);
    const canaries = [password, JSON.stringify(password).slice(1, -1), guardCode, authSecret, ...tokens];
    for (const canary of canaries) expect(everything).not.toContain(canary);
    // The platform signs many tokens; whatever looks like one must not be there either.
    expect(everything).not.toMatch(/eyJ[\w-]{8,}\.[\w-]{8,}\./);
    expect(filesBelow(home.path)).toEqual([]);
  });
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
