import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@steward/testing/eventually';
import { freePort } from '@steward/testing/free-port';
import { Program, programFile } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { z } from 'zod';
import { FarmOrders } from '../chaos/farm-orders.ts';
import { key } from '../chaos/programs.ts';
import { started } from '../chaos/started.ts';

const farmFile = programFile('packages/simulated-game/src/main.ts');

/** A day of the real game's 14 minutes takes some eight seconds. */
const pace = '100';

const begun = z.object({ operationId: z.string() });
const operation = z.object({
  state: z.string(),
  why: z.string().optional(),
  after: z.record(z.string(), z.unknown()).optional(),
});
const operationList = z.object({
  operations: z.array(z.object({ operationId: z.string(), command: z.string(), state: z.string() })),
});
const status = z.object({
  day: z.number(),
  season: z.string(),
  year: z.number(),
  timeOfDay: z.number(),
  playerCount: z.number(),
  isOnline: z.boolean(),
  draining: z.object({ phase: z.string() }).optional(),
});
const playerList = z.object({ players: z.array(z.object({ name: z.string() })) });
const page = z.object({
  events: z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })),
  cursor: z.string().optional(),
});

export type Ended = z.infer<typeof operation>;

const seasons = ['spring', 'summer', 'fall', 'winter'];

/** A control API and the simulated farm that it starts, which people come to by address; the first can be killed, and stopped. */
export async function drainedFarm(variables: Readonly<Record<string, string>> = {}) {
  const directory = temporaryDirectory();
  const state = join(directory.path, 'state');
  mkdirSync(state);
  const settings = join(directory.path, 'server-settings.json');
  writeFileSync(settings, '{"Server":{"AllowIpConnections":true,"MaxPlayers":8}}');
  const port = await freePort();
  const orders = new FarmOrders(join(directory.path, 'control.sock'));
  const start = () =>
    started(
      new Program('packages/control-api/src/main.ts', [], {
        API_HOST: '127.0.0.1',
        API_PORT: String(port),
        API_KEY: key,
        STATE_DIR: state,
        SETTINGS_PATH: settings,
        GAME_BRIDGE: 'spawn',
        GAME_COMMAND: JSON.stringify([process.execPath, farmFile]),
        GAME_MARKER: '',
        GAME_ENV: 'FARM_*,LOG_FORMAT,NODE_COMPILE_CACHE',
        FARM_SAVES_DIR: join(directory.path, 'saves'),
        FARM_CONTROL: join(directory.path, 'control.sock'),
        FARM_PACE: pace,
        FARM_SEED: 'drained',
        LOG_FORMAT: 'json',
        ...variables,
      }),
      /listening on http/,
    );
  let api = await start().catch((error: unknown) => {
    directory[Symbol.dispose]();
    throw error;
  });

  async function ask(method: string, path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })).json();
  }

  const system = {
    port,
    orders,
    ask,
    get api() {
      return api;
    },
    status: async () => status.parse(await ask('GET', '/status')),
    /** The farm is hosted, and takes players. */
    open: () =>
      eventually(
        async () => {
          const { isOnline, draining } = await system.status();
          return (isOnline && draining === undefined) || undefined;
        },
        { missing: () => 'the farm is not open' },
      ),
    areThere: (names: readonly string[]) =>
      eventually(
        async () => {
          const { players } = playerList.parse(await ask('GET', '/players'));
          return names.every((name) => players.some((each) => each.name === name)) || undefined;
        },
        { missing: () => `not all of ${names.join(', ')} are on the farm` },
      ),
    async drain(query: string): Promise<string> {
      return begun.parse(await ask('POST', `/drain?${query}`)).operationId;
    },
    /** The newest, and what became of it. */
    async lastDrain(): Promise<z.infer<typeof operationList>['operations'][number] | undefined> {
      const { operations } = operationList.parse(await ask('GET', '/operations'));
      return operations.find(({ command }) => command === 'drain');
    },
    ended: (id: string) =>
      eventually(
        async () => {
          const found = operation.parse(await ask('GET', `/operations/${id}`));
          return ['applied', 'refused', 'void'].includes(found.state) ? found : undefined;
        },
        { missing: () => `${id} does not end` },
      ),
    isIn: (phase: string) =>
      eventually(async () => (await system.status()).draining?.phase === phase || undefined, {
        missing: () => `it is never ${phase}`,
      }),
    /** Which day it is, of all days of this farm, and how late. */
    async now(): Promise<number> {
      const { day, season, year, timeOfDay } = await system.status();
      return ((year * seasons.length + seasons.indexOf(season)) * 28 + day) * 10_000 + timeOfDay;
    },
    /** The days that have ended since the first start, as they were told. */
    async daysEnded(): Promise<readonly string[]> {
      const days: string[] = [];
      for (let after = '2000-01-01T00:00:00Z'; ; ) {
        const { events, cursor } = page.parse(
          await ask('GET', `/events?topics=farm&limit=500&after=${after}`),
        );
        for (const { type, data } of events)
          if (type === 'farm.dayEnded') days.push(`${data['year']} ${data['season']} ${data['day']}`);
        if (events.length === 0 || cursor === undefined) return days;
        after = cursor;
      }
    },
    async stop(signal: NodeJS.Signals): Promise<void> {
      api.kill(signal);
      await api.exited;
    },
    async start(): Promise<void> {
      api = await start();
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
  return system;
}
