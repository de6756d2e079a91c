import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { OperatorError, UsageError } from '@steward/service-kit/process/errors';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { giveOrder, type OrderEnd } from '../src/control/order-line.ts';
import { ControlApiStandIn } from './control-api-stand-in.ts';
import { ticketKey } from './town-hall.ts';

const program = 'packages/simulated-game/src/main.ts';
const client = 'packages/simulated-game/src/give-order.ts';

interface Stage extends AsyncDisposable {
  readonly farm: Program;
  readonly environment: Record<string, string>;
  /** The next connection that the farm makes. */
  dialled(): Promise<ControlApiStandIn>;
  /** What an order writes and how it ends, without the program around it. */
  ordered(...words: readonly string[]): Promise<{ end: OrderEnd | OperatorError; stdout: string[] }>;
  /** `npm run farm -- <words>`, run to its end. */
  order(...words: readonly string[]): Promise<{ code: number | null; stdout: string[]; stderr: string[] }>;
}

async function stage(): Promise<Stage> {
  const directory = temporaryDirectory();
  const path = join(directory.path, 'bridge.sock');
  const server = createServer().listen(path);
  await once(server, 'listening');
  const sockets: Socket[] = [];
  const arrived: Socket[] = [];
  server.on('connection', (socket) => {
    sockets.push(socket);
    arrived.push(socket);
    server.emit('arrived');
  });
  const environment = {
    FARM_BRIDGE: `unix:${path}`,
    FARM_SAVES_DIR: join(directory.path, 'saves'),
    FARM_CONTROL: join(directory.path, 'control.sock'),
    FARM_TICKET_KEY: ticketKey.toString('hex'),
    FARM_PACE: '100',
    FARM_GREETING: 'come in',
    FARM_HINTS: 'look around\n  go there\n',
  };
  const farm = new Program(program, [], environment);
  return {
    farm,
    environment,
    async dialled() {
      while (arrived.length === 0) await once(server, 'arrived');
      const socket = arrived.shift();
      if (socket === undefined) throw new Error('nobody dialled');
      return new ControlApiStandIn(socket);
    },
    async ordered(order = '', ...words) {
      const stdout: string[] = [];
      const given = giveOrder(environment.FARM_CONTROL, order, words, (line) => stdout.push(line));
      const end = await given.catch((error: unknown) => {
        if (error instanceof OperatorError) return error;
        throw error;
      });
      return { end, stdout };
    },
    async order(...words) {
      await using run = new Program(client, words, environment);
      const { code } = await run.exited;
      return { code, stdout: run.stdout, stderr: run.stderr };
    },
    async [Symbol.asyncDispose]() {
      await farm[Symbol.asyncDispose]();
      for (const socket of sockets) socket.destroy();
      server.close();
      directory[Symbol.dispose]();
    },
  };
}

it('dials, opens its farm from the settings, and can be told to do things from outside', async () => {
  await using set = await stage();
  const api = await set.dialled();
  const state = await api.wholeState();
  expect(state.status).toMatchObject({ isOnline: true, farmName: 'Sunnybrook', maxPlayers: 10 });
  expect(state.networks.relay.serverId).toMatch(/^90/);
  await set.farm.line(/"msg":"come in"/);
  const lobby = await api.until(() => api.state.networks?.network.lobby);
  expect(lobby.visibility).toBe('public');
  expect(api.hall.asked).toContain('lobbyVisibility network friends-only');
  await api.command('linkLobby', '1', { platformLobbyId: '5' });
  await set.farm.line(/"Players join with the code S\w+ or G\w+"/);
  await set.farm.line(/"look around"/);
  await set.farm.line(/" {2}go there"/);

  const joined = await set.order('join', 'Sam', '--client', 'test');
  expect(joined.stdout.join()).toMatch(/^Sam is on the farm as farmhand -?[0-9]+, over GN_[0-9]+$/);
  await api.until(() => api.state.players?.some(({ name }) => name === 'Sam'));
  await set.ordered('say', 'Sam', 'hello', 'there');
  await set.ordered('say', 'Sam', '--private', 'psst');
  await set.ordered('say', 'Sam', ' !help');
  await set.ordered('leave', 'Sam');
  await api.until(() => api.events.some(({ kind }) => kind === 'playerLeft'));
  const chat = api.events.filter((event) => event.kind === 'chat');
  expect(chat).toMatchObject([{ playerName: 'Sam', message: 'hello there' }]);
});

it('comes back by itself after a crash, with its last save and another lobby', async () => {
  await using set = await stage();
  const before = await set.dialled();
  const { farm } = await before.wholeState();
  const lobby = await before.until(() => before.state.networks?.network.lobby?.id);
  await before.command('setTime', '1', { value: 1500 });
  expect((await set.ordered('crash')).end).toBe('done');
  const after = await set.dialled();
  const state = await after.wholeState();
  expect(state.farm).toEqual(farm);
  expect(state.status.timeOfDay).toBe(600);
  expect(await after.until(() => after.state.networks?.network.lobby?.id)).not.toBe(lobby);
  const result = await after.ask('journal', { commands: ['1'] });
  expect(result).toEqual({ entries: [{ command: '1', state: 'absent' }] });
});

it('keeps its word over kill -9: what was saved is there, under the same farm id', async () => {
  await using set = await stage();
  const before = await set.dialled();
  const { farm } = await before.wholeState();
  await before.command('setTime', '1', { value: 1500 });
  const saved = await before.command('save', '2', {});
  expect(saved).toMatchObject({ outcome: 'applied', after: { saveGeneration: 2 } });
  set.farm.kill('SIGKILL');
  await set.farm.exited;
  await using _again = new Program(program, [], set.environment);
  const after = await set.dialled();
  const state = await after.wholeState();
  expect(state.farm).toEqual({ farmId: farm?.farmId, saveGeneration: 2 });
  expect(state.status.timeOfDay).toBe(1500);
  const result = await after.ask('journal', { commands: ['2', '1', '7'] });
  expect(result).toMatchObject({
    entries: [{ state: 'applied', outcome: saved }, { state: 'applied' }, { command: '7', state: 'absent' }],
  });
});

it('saves and exits with code 0 when it is told to stop', async () => {
  await using set = await stage();
  const api = await set.dialled();
  await api.wholeState();
  expect(await api.command('stop', '1', {})).toMatchObject({
    outcome: 'applied',
    after: { saveGeneration: 2 },
  });
  expect((await set.farm.exited).code).toBe(0);
});

it('neither claims nor ticks while its loop hangs, though the socket lives', async () => {
  await using set = await stage();
  const api = await set.dialled();
  await api.wholeState();
  await api.until(() => api.ticks > 0);
  await set.ordered('stuck-tick', '100');
  await api.ask('journal', { commands: ['8'] });
  // Messages keep their order: no tick from before can come any more.
  const ticks = api.ticks;
  const command = api.command('setTime', '9', { value: 900 });
  const result = await api.ask('journal', { commands: ['8'] });
  expect(result).toEqual({ entries: [{ command: '8', state: 'absent' }] });
  expect([api.claims, api.ticks]).toEqual([[], ticks]);
  await set.ordered('thaw');
  expect(await command).toMatchObject({ outcome: 'applied' });
  await api.until(() => api.ticks > ticks);
});

it('tells whoever brought a player to the farm how it ended, also when it ended badly', async () => {
  await using set = await stage();
  const api = await set.dialled();
  await api.until(() => api.state.networks?.network.lobby);
  for (const [words, reason] of [
    [['join', 'Sam', '--client', 'test', '--farmhand', '12345'], /^Sam left: gave up before joining$/],
    [['join', 'Shane', '--client', 'direct-ip', '--friends'], /^Shane cannot connect: a direct-IP client/],
    [['join', 'Leah', '--code', 'G1'], /^Leah cannot connect: the network knows no such lobby$/],
  ] as const) {
    const { end, stdout } = await set.ordered(...words);
    expect([end, stdout.join()]).toEqual(['failed', expect.stringMatching(reason)]);
  }
  api.hall.open = false;
  const turnedAway = await set.order('join', 'Maru', '--client', 'test');
  expect(turnedAway).toEqual({
    code: 1,
    stdout: ['Maru was refused: there is no slot for this player'],
    stderr: [],
  });
});

it('brings a player with the client that each order names, whatever they tried before', async () => {
  await using set = await stage();
  const api = await set.dialled();
  await api.until(() => api.state.networks?.network.lobby);
  const tries = [
    [['join', 'Zoe', '--client', 'direct-ip', '--friends'], /^Zoe cannot connect: a direct-IP client/],
    // Without a platform lobby whatever leads to the relay leads nowhere.
    [['join', 'Zoe', '--client', 'stock', '--friends'], /^Zoe cannot connect: there is no platform lobby/],
    [['join', 'Zoe'], /^Zoe cannot connect: there is no platform lobby/],
    [['join', 'Zoe', '--client', 'test'], /^Zoe is on the farm as farmhand -?[0-9]+, over GN_[0-9]+$/],
    [['leave', 'Zoe'], /^$/],
    [['join', 'Zoe', '--ip'], /^Zoe is on the farm as farmhand -?[0-9]+, over L_/],
  ] as const;
  for (const [words, said] of tries) expect((await set.ordered(...words)).stdout.join()).toMatch(said);
  const shown = await set.ordered('show');
  expect(shown.stdout.join('\n')).toMatch(/Zoe \(direct-ip client\)/);
});

it('says in plain words what an order lacks', async () => {
  await using set = await stage();
  const api = await set.dialled();
  await api.wholeState();
  for (const [words, reason] of [
    [['join'], /usage: .* join <name>/],
    [['dance'], /there is no order "dance"/],
    [['fault', 'earthquake'], /usage: .*slow-save/],
    [['join', 'Sam', '--client', 'toaster'], /there is no client "toaster"/],
    [['join', 'Sam', '--client', 'test', '--declare', 'x'], /--declare is not a decimal integer: "x"/],
    [['join', 'Sam', '--farmhand', 'banana'], /--farmhand is not a decimal integer: "banana"/],
    [['join', 'Sam', '--farmhand', '9223372036854775808'], /--farmhand is outside the signed 64-bit range/],
    [['join', 'Sam', '--ip', '--friends'], /use only one of/],
    [['say', 'Sam'], /usage: .* say <name>/],
    [['freeze', 'long'], /"long" is not a number of seconds/],
  ] as const) {
    const { end, stdout } = await set.ordered(...words);
    expect([end, stdout]).toEqual([expect.any(UsageError), []]);
    expect(end).toMatchObject({ message: expect.stringMatching(reason) });
  }
  const misunderstood = await set.order('dance');
  expect(misunderstood).toEqual({ code: 2, stdout: [], stderr: [expect.stringMatching(/no order "dance"/)] });
  const refused = await set.order('leave', 'Nobody');
  expect([refused.code, refused.stderr.join()]).toEqual([
    1,
    expect.stringMatching(/Nobody is not on the farm/),
  ]);
});

it('is explained by --help, and says when no farm listens', async () => {
  await using help = new Program(client, ['--help']);
  await help.line(/^(?:npm run farm --|node dist\/farm\.js) <order>: /);
  using nowhere = temporaryDirectory();
  await using show = new Program(client, ['show'], { FARM_CONTROL: join(nowhere.path, 'none.sock') });
  await show.line(/no farm listens at/);
  expect((await show.exited).code).toBe(1);
});

it.each([
  ['join Sam', 1, /^farm: the farm closed before it answered/],
  ['follow', 0, /^$/],
])('says %j was cut off, with exit code %d, when the farm dies meanwhile', async (order, code, said) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'control.sock');
  const dying = createServer((socket) => socket.once('data', () => socket.destroy())).listen(path);
  await once(dying, 'listening');
  await using run = new Program(client, order.split(' '), { FARM_CONTROL: path });
  expect((await run.exited).code).toBe(code);
  expect(run.stderr.join()).toMatch(said);
  dying.close();
});
