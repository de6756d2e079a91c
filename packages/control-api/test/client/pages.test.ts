import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { eventually } from '@steward/testing/eventually';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { leftBackup } from '../api/stage/operations.ts';
import { joined, said } from '../events/stage/stream-stage.ts';

const run = promisify(execFile);
const root = new URL('../../../../', import.meta.url);

type Api = Awaited<ReturnType<typeof openApi>>;

/** Runs what a page shows, as one program, and tells what it printed; what happens on the farm does when somebody listens. */
async function printedBy(page: string, happens?: (api: Api) => void): Promise<string[]> {
  await using api = await openApi({ key: testKey, leftBackups: [{ id: leftBackup }] });
  using _client = await api.listen();
  using directory = temporaryDirectory();
  const file = join(directory.path, 'example.mts');
  writeFileSync(file, programOf(page, api).join('\n'));
  const running = run(process.execPath, [file]);
  if (happens !== undefined) {
    await somebodyListens(api, 1);
    happens(api);
  }
  const { stdout } = await running;
  return stdout.trim().split('\n');
}

/** What a page shows in TypeScript, block by block, for this server. */
function programOf(page: string, api: Api): string[] {
  const { port } = api.app.server.address() as AddressInfo;
  const text = readFileSync(new URL(page, root), 'utf8')
    .replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${port}`)
    .replaceAll('the-key-that-the-server-has', testKey)
    .replaceAll("'@steward/client'", `'${new URL('packages/client/src/index.ts', root)}'`);
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** What a bot says after its key is what it wants to hear. */
async function somebodyListens(api: Api, times: number): Promise<void> {
  const opened = async () => {
    const { body } = await api.ask('GET', '/metrics', { key: testKey });
    return body.includes(`\nsteward_chat_received_total ${times}\n`) || undefined;
  };
  await eventually(opened, { missing: () => 'nobody listens' });
}

it('what the page of the package shows works, in its order', async () => {
  const printed = await printedBy('packages/client/README.md', ({ bridge }) => {
    bridge.events.append(said('good morning'));
    bridge.events.append(said('good night'));
    bridge.events.append(said('is nobody there?'));
  });
  expect(printed).toEqual([
    'Ann (620826087702429092) is on Sunnybrook',
    "'Ann': 'good morning'",
    "'Ann': 'good night'",
    expect.stringMatching(new RegExp(`^${leftBackup}: [1-9][0-9]* bytes$`)),
  ]);
});

it('what the page of the API shows works', async () => {
  expect(await printedBy('docs/api.md')).toEqual(['It was 930, and is 1200']);
});

it('the bot of ten lines has ten lines', () => {
  const bot = readFileSync(new URL('examples/welcome-bot.mts', root), 'utf8');
  expect(bot.split('\n').filter((line) => line !== '')).toHaveLength(10);
});

it('the bot of ten lines shows what is said, misses nothing while it does not run, and welcomes nobody twice', async () => {
  await using api = await openApi({ key: testKey });
  using _client = await api.listen();
  using directory = temporaryDirectory();
  const { port } = api.app.server.address() as AddressInfo;
  const environment = { API: `http://127.0.0.1:${port}`, API_KEY: testKey };
  const start = () => new Program('examples/welcome-bot.mts', [], environment, { cwd: directory.path });
  const tell = (event: StewardEvent) => api.bridge.events.append(event);
  let place = '';
  {
    await using bot = start();
    await somebodyListens(api, 1);
    place = tell(said('good morning')).cursor;
    await bot.line(/^Ann: good morning$/);
    tell(joined);
    tell(said('hello'));
    await bot.line(/^Ann: hello$/);
  }
  tell(said('nobody hears me'));
  // As if it had ended before it had written down that it had welcomed her.
  writeFileSync(join(directory.path, 'place'), place);
  await using bot = start();
  await bot.line(/^Ann: nobody hears me$/);
  expect(bot.stdout).toEqual(['Ann: hello', 'Ann: nobody hears me']);
  expect(api.farm.said.map(({ message }) => message)).toEqual(['Welcome, Ann!']);
});

it('the bot of ten lines shows a message as one line, without terminal orders', async () => {
  await using api = await openApi({ key: testKey });
  using client = await api.listen();
  using directory = temporaryDirectory();
  const environment = { API: `http://127.0.0.1:${client.port}`, API_KEY: testKey };
  await using bot = new Program('examples/welcome-bot.mts', [], environment, { cwd: directory.path });
  await somebodyListens(api, 1);
  api.bridge.events.append(said('a\u009b2Jb\u202ec\u2028d\ne'));
  await bot.line(/^Ann: a/);
  expect(bot.stdout).toEqual(['Ann: a 2Jb c d e']);
});
