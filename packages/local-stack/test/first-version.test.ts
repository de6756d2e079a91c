import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { steward } from '@steward/client';
import { Changes } from '@steward/testing/changes';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { StackProgram } from '@steward/testing/stack-program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const left = fileURLToPath(new URL('../../../test/first-version/', import.meta.url));
const limitMs = 120_000;

const newest = Date.parse('2026-11-22T06:51:26.121Z');

/** A copy of what was left, with the commands as if they had just been carried out. */
function copyOfWhatWasLeft(directory: string): void {
  cpSync(left, directory, { recursive: true });
  // Where the farm of that time kept it, beside which saves have a directory now.
  renameSync(join(directory, 'farm-save.json'), join(directory, 'save.json'));
  const file = join(directory, 'state', 'operations.jsonl');
  const later = Date.now() - newest;
  const dated = readFileSync(file, 'utf8').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (date) =>
    new Date(Date.parse(date) + later).toISOString(),
  );
  writeFileSync(file, dated);
}

async function startAll(directory: string) {
  const given = parseEnv(readFileSync(join(directory, 'operator.env'), 'utf8'));
  const emulator = new Program('packages/platform-emulator/src/main.ts', ['--json', '--game-mb', '1']);
  const [line] = await emulator.line(/^\{.*\}$/);
  const { proxyUrl, caFile, ticketKey } = JSON.parse(line) as Record<string, string>;
  const sidecar = new Program('packages/platform-auth/src/main.ts', [], {
    ...given,
    HOST: '127.0.0.1',
    PORT: '0',
    SESSION_DIR: join(directory, 'session'),
    GAME_DIR: join(directory, 'game'),
    PLATFORM_PROXY: proxyUrl,
    NODE_EXTRA_CA_CERTS: caFile,
    // Nobody plays it here.
    PLATFORM_DOWNLOAD: 'off',
    LOG_FORMAT: 'json',
  });
  const [, sidecarUrl = ''] = await sidecar.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const api = new Program('packages/control-api/src/main.ts', [], {
    ...given,
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    STATE_DIR: join(directory, 'state'),
    SETTINGS_PATH: join(directory, 'server-settings.json'),
    PLATFORM_AUTH_URL: sidecarUrl,
    LOG_FORMAT: 'json',
  });
  const changes = new Changes();
  api.onLine(() => changes.told());
  const [, url = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const farm = new Program('packages/simulated-game/src/main.ts', [], {
    FARM_BRIDGE: `unix:${join(directory, 'state', 'game.sock')}`,
    FARM_SAVES_DIR: join(directory, 'saves'),
    FARM_CONTROL: join(directory, 'control.sock'),
    FARM_TICKET_KEY: ticketKey,
    LOG_LEVEL: 'silent',
  });
  const control = steward({ url, key: given['API_KEY'] });
  return {
    api,
    control,
    joinable: () =>
      changes.until(async () => (await control.getStatus()).isJoinable || undefined, {
        missing: () => 'nobody could ever join',
      }),
    async [Symbol.asyncDispose]() {
      for (const program of [farm, api, sidecar, emulator]) await program[Symbol.asyncDispose]();
    },
  };
}

it(
  'brings up what the first version left behind, with nothing lost',
  async () => {
    using directory = temporaryDirectory();
    copyOfWhatWasLeft(directory.path);
    await using system = await startAll(directory.path);
    await system.joinable();

    const { control } = system;
    const { farmhands } = await control.listFarmhands();
    const named = (name: string) => farmhands.find((each) => each.name === name);
    expect(named('Abigail')).toMatchObject({ owned: true, door: 'platform', origin: 'operator' });
    expect(named('Harvey')).toMatchObject({ owned: true, door: 'network', origin: 'claim' });
    expect(await control.getSettings()).toMatchObject({
      server: { maxPlayers: 12, adminPlatformIds: ['76561198000000042'] },
    });

    // Each write is remembered: what was done once is answered as it was, and not done again.
    const under = (idempotencyKey: string) => ({ idempotencyKey });
    const identity = '76561198000000042';
    const settings = { maxPlayers: 12, adminPlatformIds: identity };
    const answered = [
      await control.setTime({ value: 1200 }, under('first-time')),
      await control.setRendering({ fps: 15 }, under('first-rendering')),
      await control.grantAdmin({ name: 'Sam' }, under('first-admin')),
      await control.releaseFarmhand({ name: 'Harvey' }, under('first-release')),
      await control.rebindFarmhand({ name: 'Abigail', identity }, under('first-rebind')),
      await control.changeSettings(settings, under('first-settings')),
    ];
    expect(answered.map(({ operationId }) => operationId)).toEqual([
      '992993123773636966',
      '8102805409855261095',
      '4064467466155919773',
      '5661685599351185542',
      '5059116150869139152',
      '5013874974302053577',
    ]);
    await expect(control.deleteFarmhand({ name: 'Sam' }, under('first-refused'))).rejects.toMatchObject({
      operationId: '3370888138431503534',
    });
    expect(await control.getOperation({ id: '992993123773636966' })).toMatchObject({ state: 'applied' });
    expect((await control.getTime()).timeOfDay).not.toBe(1200);
    await expect(control.setTime({ value: 1400 }, under('first-time'))).rejects.toMatchObject({
      status: 422,
    });
    expect(await control.getStatus()).toMatchObject({ obstacles: [], farmName: 'Junimo', day: 2 });
  },
  limitMs,
);

it(
  'goes on with what the first version’s `npm start` kept',
  async () => {
    using directory = temporaryDirectory();
    const [API_PORT = '', PORT = '', DASHBOARD_PORT = ''] = await Promise.all(
      Array.from({ length: 3 }, async () => String(await freePort())),
    );
    // As `.steward` was laid out, with the same names as today but for the farm's saves.
    const kept = join(directory.path, API_PORT);
    const was = join(directory.path, 'was');
    copyOfWhatWasLeft(was);
    mkdirSync(join(kept, 'farm'), { recursive: true });
    for (const [from, to] of [
      ['state', 'control-api'],
      ['session', 'platform-session'],
      ['server-settings.json', 'server-settings.json'],
      ['save.json', 'farm/save.json'],
    ] as const)
      renameSync(join(was, from), join(kept, to));
    const given = parseEnv(readFileSync(join(was, 'operator.env'), 'utf8'));
    await using stack = new StackProgram(directory.path, {
      ...given,
      API_PORT,
      PORT,
      DASHBOARD_PORT,
      FARM_VISITORS: '0',
      PLATFORM_DOWNLOAD: 'off',
    });
    await stack.line(/players join with the code/i);
    const control = steward({ url: `http://127.0.0.1:${API_PORT}`, key: given['API_KEY'] });
    const { farmhands } = await control.listFarmhands();
    expect(farmhands.find(({ name }) => name === 'Abigail')).toMatchObject({
      owned: true,
      origin: 'operator',
    });
    expect(await control.getSettings()).toMatchObject({ server: { maxPlayers: 12 } });
    expect(await control.setTime({ value: 1200 }, { idempotencyKey: 'first-time' })).toMatchObject({
      operationId: '992993123773636966',
    });
    expect(await control.getStatus()).toMatchObject({ farmName: 'Junimo', day: 2, obstacles: [] });
    stack.kill('SIGTERM');
    await stack.exited;
  },
  limitMs,
);
