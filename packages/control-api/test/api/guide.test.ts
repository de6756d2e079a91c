import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { httpLimits } from '@steward/service-kit/http/http-server';
import { endpoints } from '@steward/shared/api/endpoints';
import { Changes } from '@steward/testing/changes';
import type { ScriptedGame } from '@steward/testing/game/scripted-game';
import { expect, it } from 'vitest';
import { backupLimits } from '../../src/backups/backups.ts';
import { settled } from '../game/stage/stage.ts';
import { openApi, testKey } from './stage/open-api.ts';
import { keysForQueries, operationsOf } from './stage/operations.ts';

function textOf(page: string): string {
  return readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
}

function linesOf(page: string): string[] {
  return [...textOf(page).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
}

const run = promisify(execFile);

/** What is held open, is not done while a game runs, or waits for players: pages of their own show how, and their tests do it. */
const shownElsewhere = ['openWebSocket', 'streamEvents', 'restoreBackup', 'createFarm', 'loadFarm'];

it('docs/api.md tells the limits as they are', () => {
  const seconds = (ms: number) => String(ms / 1_000);
  const words = textOf('api.md').replaceAll(/\s+/g, ' ');
  const { headersMs, requestMs, keepAliveMs, connections, drainMs } = httpLimits;
  expect(words).toContain(
    `must arrive within ${seconds(headersMs)} seconds and the complete request within ${seconds(requestMs)}.`,
  );
  expect(words).toContain(`idle for ${seconds(keepAliveMs)} seconds`);
  expect(words).toContain(`accepts ${connections.toLocaleString('en')} connections`);
  expect(words).toContain(`running requests for up to ${seconds(drainMs)} seconds`);
  for (const { description } of [endpoints.createBackup, endpoints.restoreBackup])
    expect(description).toContain(`longer than ${seconds(backupLimits.answerMs)} seconds`);
  expect(words).toContain(`takes longer than ${seconds(backupLimits.answerMs)} seconds`);
});

it('every line of docs/api.md works, in its order, and every endpoint is among them', async () => {
  const { asked, endpoints } = await runLines('api.md');
  expect(asked).toEqual(expect.arrayContaining(endpoints));
});

it('every line of docs/players-cannot-join.md works', async () => {
  expect((await runLines('players-cannot-join.md')).asked).toContain('POST /farmhands/rebind');
});

const scripts = ['status.py', 'status_requests.py'];

function runScript(name: string, environment: NodeJS.ProcessEnv) {
  const file = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
  return run('/usr/bin/python3', [file], { env: { PATH: process.env['PATH'], ...environment } });
}

it.each(scripts)(
  'examples/%s tells who plays, with exact ids, and sends them to bed when it is late',
  async (name) => {
    await using api = await openApi({ key: testKey });
    using client = await api.listen();
    const API = `http://127.0.0.1:${client.port}`;
    const python = (key: string) => runScript(name, { API, API_KEY: key });
    await api.ask('POST', '/time?value=2400');
    expect((await python(testKey)).stdout).toBe(
      'Sunnybrook: day 5 of spring, 2400\nAnn (620826087702429092)\n',
    );
    expect(api.farm.said.map(({ message }) => message)).toEqual(['It is late. Go to bed!']);
    await expect(python('another')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^unauthorized: /),
    });
  },
);

it.each(scripts)('examples/%s shows any name, in one line, and goes on', async (name) => {
  await using api = await openApi({ key: testKey });
  using client = await api.listen();
  await api.ask('POST', '/time?value=2400');
  await callPlayer(api.farm, 'J\u00f6rg\u009b2J\n\u202e!');
  const API = `http://127.0.0.1:${client.port}`;
  const { stdout } = await runScript(name, { API, API_KEY: testKey, PYTHONIOENCODING: 'ascii' });
  expect(stdout).toContain('\nJ\\xf6rg 2J  ! (620826087702429092)\n');
  expect(api.farm.said).toHaveLength(1);
});

/** How who plays is called from now on. */
async function callPlayer(farm: ScriptedGame, name: string): Promise<void> {
  const { state } = farm;
  state.players = state.players.map((player) => ({ ...player, name }));
  farm.tell();
  await settled();
}

const isOver = /^(?<said>.*)\nover (?<status>\d+)\n$/s;

/** One for all lines, as a person has it open: to begin one takes longer than what a line does. */
class Shell implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #changes = new Changes();
  #said = '';

  constructor(env: NodeJS.ProcessEnv) {
    const child = spawn('sh', { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#exited = once(child, 'close');
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      this.#said += piece;
      this.#changes.told();
    });
  }

  async run(line: string): Promise<{ readonly status: number; readonly said: string }> {
    this.#said = '';
    this.#child.stdin?.write(`{ ${line}\n} </dev/null; printf '\\nover %s\\n' $?\n`);
    const { said = '', status } = await this.#changes.until(() => isOver.exec(this.#said)?.groups, {
      missing: () => `${line} is not over: ${this.#said}`,
    });
    return { status: Number(status), said };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#exited;
  }
}

async function runLines(page: string) {
  await using api = await openApi({ ...keysForQueries, key: testKey });
  const asked = new Set<string>();
  using client = await api.listen();
  // Looked at here, since a pipe hides that curl failed.
  const refused: string[] = [];
  api.app.server.prependListener('request', ({ method, url = '' }, response) => {
    asked.add(`${method} ${url.split('?')[0]}`);
    response.once('finish', () => {
      if (response.statusCode >= 400) refused.push(`${method} ${url}: ${response.statusCode}`);
    });
  });
  const environment = { ...process.env, API: `http://127.0.0.1:${client.port}`, API_KEY: testKey };
  await using shell = new Shell(environment);
  for (const line of linesOf(page).filter((one) => !/^API(?:_KEY)?=/.test(one))) {
    const { status, said } = await shell.run(line.replaceAll('curl -s', 'curl -sS --fail-with-body'));
    expect(status, `${line}: ${said}`).toBe(0);
    // A variable is shown by the lines that need it.
    if (!/^[A-Z]+=/.test(line)) expect(said, line).not.toBe('');
    expect(refused, line).toEqual([]);
  }
  const endpoints = operationsOf(api.document)
    .filter(({ operationId }) => !shownElsewhere.includes(operationId))
    .map(({ method, path }) => `${method} ${path}`);
  const seen = [...asked].map((one) => one.replace(/^(\w+ \/(?:operations|backups))\/[^/]+/, '$1/{id}'));
  return { asked: seen, endpoints };
}
