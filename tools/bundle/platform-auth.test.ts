import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { demoApps } from '@steward/platform-emulator/demo-apps';
import { startPlatform } from '@steward/platform-emulator/platform';
import { sidecarHealth } from '@steward/shared/sidecar/health';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Bill, billName } from '../sbom/bill.ts';
import { bundle, shipped } from './bundle.ts';

let bundled: Awaited<ReturnType<typeof shipped>>;
const sessions = temporaryDirectory();

beforeAll(async () => {
  bundled = await shipped('platform-auth');
});
afterAll(() => {
  bundled[Symbol.dispose]();
  sessions[Symbol.dispose]();
});

const gameApp = 413_150;
const apps = demoApps('bundled', 300_000);

it('logs in through the platform libraries that stayed packages, gives a ticket, downloads the game, and stops', async () => {
  await using platform = await platformOfAnn();
  await using sidecar = sidecarOf(platform, 'game');
  const [, origin = ''] = await sidecar.line(/listening on (http:\S+?)["\s]/);
  await vi.waitFor(async () => expect(await loggedIn(origin)).toBe(true), { timeout: 60_000 });
  expect((await fetch(`${origin}/platform/app-ticket`)).status).toBe(200);
  await sidecar.line(/Game files: complete/);
  sidecar.kill('SIGTERM');
  expect(await sidecar.exited).toEqual({ code: 0, signal: null });
});

it('downloads the game also where no binary of the LZMA library loads, and says so once', async () => {
  await using platform = await platformOfAnn();
  const withoutNative = join(sessions.path, 'without-native.mjs');
  writeFileSync(
    withoutNative,
    `import { registerHooks } from 'node:module';
    registerHooks({
      resolve(specifier, context, next) {
        if (!specifier.startsWith('@napi-rs/lzma')) return next(specifier, context);
        throw new Error('Cannot find native binding');
      },
    });`,
  );
  await using sidecar = sidecarOf(platform, 'portable', { NODE_OPTIONS: `--import=${withoutNative}` });
  await sidecar.line(/Game files: complete/);
  expect(sidecar.stderr.filter((line) => line.includes('decoded in JavaScript'))).toHaveLength(1);
});

function platformOfAnn() {
  return startPlatform({
    accounts: [{ name: 'ann', password: 'pass-of-ann', owns: [gameApp] }],
    apps,
  });
}

function sidecarOf(
  platform: Awaited<ReturnType<typeof platformOfAnn>>,
  game: string,
  more: Readonly<Record<string, string>> = {},
): Program {
  return new Program(bundled.main, [], {
    HOST: '127.0.0.1',
    PORT: '0',
    SESSION_DIR: sessions.path,
    GAME_DIR: join(sessions.path, game),
    PLATFORM_PROXY: platform.proxyUrl,
    NODE_EXTRA_CA_CERTS: platform.caFile,
    PLATFORM_REFRESH_TOKEN: platform.refreshToken('ann'),
    ...more,
  });
}

async function loggedIn(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/health`);
  return sidecarHealth.parse(await answer.json()).logged_in;
}

it('explains itself', async () => {
  await using help = new Program(bundled.main, ['--help']);
  expect(await help.exited).toMatchObject({ code: 0 });
  expect(help.stdout.join('\n')).toContain('PLATFORM_REFRESH_TOKEN');
});

it('has the licence and a line of the bill of what stays a package, too', () => {
  const folder = dirname(bundled.main);
  const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), 'utf8');
  const bill: Bill = JSON.parse(readFileSync(join(folder, '..', billName), 'utf8'));
  const names = bill.components.map(({ name }) => name);
  // In the bundle, and a package with what it brings along, the last by two ways.
  for (const name of ['fastify', 'steam-user', 'protobufjs', 'supports-color']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d\\S* \\(\\S+\\)\\n\\n`, 'm'));
    expect(names).toContain(name);
  }
  expect(names).not.toContain('vitest');
});

it('leaves nothing in an image’s tree of what packages bring along for those who build them', async () => {
  using directory = temporaryDirectory();
  const packages = [
    'node_modules/.pnpm/protobufjs@6.11.6/node_modules/protobufjs',
    'node_modules/protobufjs',
  ];
  const files = packages.flatMap((folder) => [
    `${folder}/src/index.js`,
    `${folder}/cli/node_modules/espree/index.js`,
  ]);
  for (const file of files) {
    mkdirSync(join(directory.path, file, '..'), { recursive: true });
    writeFileSync(join(directory.path, file), '');
  }
  // As pnpm has it: whoever uses a package has a link to it.
  const user = join(directory.path, 'node_modules/.pnpm/a-user@1.0.0/node_modules');
  mkdirSync(user, { recursive: true });
  symlinkSync(join(directory.path, packages[0] ?? ''), join(user, 'protobufjs'));
  await bundle('platform-auth', directory.path);
  expect(files.filter((file) => existsSync(join(directory.path, file)))).toEqual(
    packages.map((folder) => `${folder}/src/index.js`),
  );
  for (const folder of packages) expect(existsSync(join(directory.path, folder, 'cli'))).toBe(false);
});
