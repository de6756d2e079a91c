import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { numberOf, RestartingApi } from './stage/restarting-api.ts';

const page = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8');

const [script = '', stream = ''] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

const example = new URL('../../../../examples/follow.sh', import.meta.url);
const follow = `RECONNECT_SECONDS=0.1 exec bash ${fileURLToPath(example)}`;

/** A script of the page as a person runs it, whose lines can be waited for. */
class Script implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown[]>;
  readonly #lines: AsyncIterator<string>;

  constructor(text: string, { origin, key }: Pick<RestartingApi, 'origin' | 'key'>) {
    // A group of its own: what a shell has begun does not end with it.
    this.#child = spawn('sh', ['-c', text], {
      env: { PATH: process.env['PATH'], API: origin, API_KEY: key },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    this.#exited = once(this.#child, 'exit');
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('the script has no output');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const { value } = (await this.#lines.next()) as { value: string };
    return value;
  }

  /** The next thing that has a number. */
  async number(): Promise<number> {
    for (;;) {
      const told: unknown = JSON.parse(await this.line());
      const number = typeof told === 'string' ? undefined : numberOf(told as Parameters<typeof numberOf>[0]);
      if (number !== undefined) return number;
    }
  }

  /** Nobody reads what it shows any more, as when `| head` has seen enough. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  /** With which status it ended by itself. */
  async ended(): Promise<unknown> {
    const [status] = await this.#exited;
    return status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    process.kill(-(this.#child.pid ?? 0), 'SIGKILL');
    await this.#exited;
  }
}

it('the script of the page has five lines, and follows the farm over a restart, and so does examples/follow.sh', async () => {
  expect(script.trim().split('\n')).toHaveLength(5);
  await using api = await RestartingApi.open({ API_KEY: 'k3y' });
  for (const topic of ['chat', 'farm'] as const) api.happens(topic);
  await using running = new Script(script.replace('sleep 5', 'sleep 0.1'), api);
  await using following = new Script(follow, api);
  await expect.poll(() => readersOf(api)).toContain('steward_events_listeners{door="stream"} 1');
  expect([await running.number(), await running.number()]).toEqual([1, 2]);
  api.happens('players');
  expect(await running.number()).toBe(3);
  expect(await following.line()).toMatch(/^\S+ players\.left 3$/);
  await api.end('SIGTERM');
  await api.start();
  api.happens('chat');
  expect(await running.number()).toBe(4);
  const heard = [await following.line()];
  // What else happens when a server goes and comes is told, too.
  while (!heard.at(-1)?.includes('chat.said')) heard.push(await following.line());
  expect(heard.filter((line) => /chat|players/.test(line))).toEqual([
    expect.stringMatching(/ chat\.said Ann$/),
  ]);
  await using wrong = new Script(follow, { origin: api.origin, key: 'another' });
  expect(await wrong.ended()).toBe(1);
});

it('examples/follow.sh shows a name in one line, without terminal orders, and ends when nobody reads it', async () => {
  await using api = await openApi({ key: testKey });
  using client = await api.listen();
  const farm = { origin: `http://127.0.0.1:${client.port}`, key: testKey };
  await using following = new Script(follow, farm);
  await expect.poll(() => readersOf(farm)).toContain('steward_events_listeners{door="stream"} 1');
  const data = { playerId: '5512', playerName: 'A\u009b2Jb\u202ec\u2028d\ne', message: 'hi' };
  api.bridge.events.append({ type: 'chat.said', data });
  expect(await following.line()).toMatch(/^\S+ chat\.said A 2Jb c d e$/);
  following.stopReading();
  api.bridge.events.append({ type: 'chat.said', data });
  expect(await following.ended()).toBeGreaterThan(0);
});

it('the stream of the page shows who comes and goes, as it happens', async () => {
  await using api = await RestartingApi.open({ API_KEY: 'k3y' });
  await using running = new Script(stream, api);
  await expect.poll(() => readersOf(api)).toContain('steward_events_listeners{door="stream"} 1');
  api.happens('players');
  expect(await running.line()).toBe('players.left 1');
});

async function readersOf({ origin, key }: Pick<RestartingApi, 'origin' | 'key'>): Promise<string> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  return await answer.text();
}
