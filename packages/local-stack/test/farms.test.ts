import { join } from 'node:path';
import { giveOrder } from '@steward/simulated-game/control/order-line';
import { eventually } from '@steward/testing/eventually';
import { Program, programFile } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const key = 'k3y';
const limitMs = 180_000;

type Answer = Record<string, unknown>;

/** A control API that starts a simulated farm, and backs it up. */
async function server(directory: string) {
  const control = join(directory, 'control.sock');
  const saves = join(directory, 'saves');
  const program = new Program('packages/control-api/src/main.ts', [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    API_KEY: key,
    STATE_DIR: join(directory, 'state'),
    SETTINGS_PATH: join(directory, 'server-settings.json'),
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify([process.execPath, programFile('packages/simulated-game/src/main.ts')]),
    GAME_ENV: 'FARM_*,NODE_COMPILE_CACHE',
    GAME_SAVES_DIR: saves,
    BACKUP_DIR: join(directory, 'backups'),
    PLATFORM_AUTH_URL: '',
    FARM_SAVES_DIR: saves,
    FARM_CONTROL: control,
    FARM_PACE: '100',
  });
  const [, url = ''] = await program.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (method: 'GET' | 'POST', path: string) =>
    (await (await fetch(`${url}${path}`, { method, headers })).json()) as Answer;
  return {
    ask,
    bytes: async (path: string) =>
      Buffer.from(await (await fetch(`${url}${path}`, { headers })).arrayBuffer()),
    ready: (farmName: string) =>
      eventually(
        async () => {
          const { isReady, farmName: now } = await ask('GET', '/status');
          return isReady === true && now === farmName ? true : undefined;
        },
        { missing: () => `the farm ${farmName} was never ready` },
      ),
    /** What became of what may take a while. */
    async done(path: string): Promise<Answer> {
      const { operationId } = await ask('POST', path);
      return await eventually(
        async () => {
          const operation = await ask('GET', `/operations/${operationId}`);
          return ['claimed', 'pending'].includes(String(operation['state'])) ? undefined : operation;
        },
        { missing: () => `${path} never ended` },
      );
    },
    async order(...[name = '', ...words]: readonly string[]): Promise<string> {
      const printed: string[] = [];
      await giveOrder(control, name, words, (text) => printed.push(text));
      return printed.join('\n');
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

it(
  'a spawned farm goes on to a new farm and back, over a crash too, with a backup of the one before each time',
  async () => {
    using directory = temporaryDirectory();
    await using system = await server(directory.path);
    const { farmName: first } = await eventually(
      async () => {
        const status = await system.ask('GET', '/status');
        return status['isReady'] === true ? status : undefined;
      },
      { missing: () => 'the farm never opened' },
    );
    const { farms } = (await system.ask('GET', '/farms')) as { farms: { id: string }[] };
    const firstId = farms[0]?.id;
    await system.ask('POST', '/settings?allowIpConnections=true');
    expect(await system.order('join', 'Shane', '--ip')).toContain('is on the farm');
    await eventually(
      async () => {
        const { players } = (await system.ask('GET', '/players')) as { players: { name: string }[] };
        return players.find(({ name }) => name === 'Shane');
      },
      { missing: () => 'Shane was never shown as online' },
    );

    const made = await system.done('/farms?farmName=Riverbend&seconds=0');
    expect(made).toMatchObject({
      state: 'applied',
      after: { farmName: 'Riverbend', isSaved: true, backupId: expect.stringContaining('Z-') },
    });
    await system.ready('Riverbend');
    const { backups } = (await system.ask('GET', '/backups')) as { backups: Answer[] };
    expect(backups).toMatchObject([{ why: 'before-farm-change', farm: { farmId: firstId } }]);
    expect((await system.bytes('/screenshot')).subarray(1, 4).toString()).toBe('PNG');

    await system.order('crash').catch(() => {});
    const crash = await eventually(
      async () => {
        const { events } = (await system.ask('GET', '/events?limit=500')) as { events: Answer[] };
        return events.find(({ type }) => type === 'game.crashed');
      },
      { missing: () => 'nobody was told of the crash' },
    );
    expect(crash).toMatchObject({ data: { lastLines: expect.any(Array) } });
    await system.ready('Riverbend');
    const { lines } = (await system.ask('GET', '/game/log')) as { lines: { text: string }[] };
    expect(lines.map(({ text }) => text).join('\n')).toContain('the farm is open');

    expect(await system.done(`/farms/load?id=${firstId}&seconds=0`)).toMatchObject({
      state: 'applied',
      after: { farmId: firstId, farmName: first },
    });
    await system.ready(String(first));
    expect(await system.order('join', 'Shane', '--ip')).toContain('is on the farm');
  },
  limitMs,
);
