import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { Changes } from '@steward/testing/changes';
import { Program } from '@steward/testing/program';
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
  const ask = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
    const headers = { authorization: `Bearer ${given['API_KEY']}`, ...init.headers };
    const answer = await fetch(url + path, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return {
    api,
    get: async (path: string) => (await ask(path)).body,
    /** The same request once more, under the key that it had. */
    again: (method: string, path: string, key: string) =>
      ask(path, { method, headers: { 'idempotency-key': key } }),
    joinable: () =>
      changes.until(async () => ((await ask('/status')).body['isJoinable'] === true ? true : undefined), {
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

    const { farmhands } = (await system.get('/farmhands')) as { farmhands: { name: string }[] };
    const named = (name: string) => farmhands.find((each) => each.name === name);
    expect(named('Abigail')).toMatchObject({ owned: true, door: 'platform', origin: 'operator' });
    expect(named('Harvey')).toMatchObject({ owned: true, door: 'network', origin: 'claim' });
    expect(await system.get('/settings')).toMatchObject({
      server: { maxPlayers: 12, adminPlatformIds: ['76561198000000042'] },
    });

    // Each write is remembered: what was done once is answered as it was, and not done again.
    const writes = [
      ['POST', '/time?value=1200', 'first-time', '992993123773636966'],
      ['POST', '/rendering?fps=15', 'first-rendering', '8102805409855261095'],
      ['POST', '/roles/admin?name=Sam', 'first-admin', '4064467466155919773'],
      ['POST', '/farmhands/release?name=Harvey', 'first-release', '5661685599351185542'],
      [
        'POST',
        '/farmhands/rebind?name=Abigail&identity=76561198000000042',
        'first-rebind',
        '5059116150869139152',
      ],
      ['DELETE', '/farmhands?name=Sam', 'first-refused', '3370888138431503534'],
      [
        'POST',
        '/settings?maxPlayers=12&adminPlatformIds=76561198000000042',
        'first-settings',
        '5013874974302053577',
      ],
    ] as const;
    for (const [method, path, key, operationId] of writes)
      expect((await system.again(method, path, key)).body).toMatchObject({ operationId });
    expect(await system.get('/operations/992993123773636966')).toMatchObject({ state: 'applied' });
    expect((await system.get('/time'))['timeOfDay']).not.toBe(1200);
    expect((await system.again('POST', '/time?value=1400', 'first-time')).status).toBe(422);
    expect(await system.get('/status')).toMatchObject({ obstacles: [], farmName: 'Junimo', day: 2 });
  },
  limitMs,
);
