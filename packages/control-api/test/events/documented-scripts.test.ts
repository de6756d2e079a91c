import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { numberOf, RestartingApi } from './stage/restarting-api.ts';

const page = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8');

const [script = '', stream = ''] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

/** A script of the page as a person runs it, whose lines can be waited for. */
class Script implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(text: string, { origin, key }: RestartingApi) {
    // A group of its own: what a shell has begun does not end with it.
    this.#child = spawn('sh', ['-c', text], {
      env: { PATH: process.env['PATH'], API: origin, API_KEY: key },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
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

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    process.kill(-(this.#child.pid ?? 0), 'SIGKILL');
    await exited;
  }
}

it('the script of the page has five lines, and follows the farm over a restart', async () => {
  expect(script.trim().split('\n')).toHaveLength(5);
  await using api = await RestartingApi.open({ API_KEY: 'k3y' });
  for (const topic of ['chat', 'farm'] as const) api.happens(topic);
  await using running = new Script(script.replace('sleep 5', 'sleep 0.1'), api);
  expect([await running.number(), await running.number()]).toEqual([1, 2]);
  api.happens('players');
  expect(await running.number()).toBe(3);
  await api.end('SIGTERM');
  await api.start();
  api.happens('chat');
  expect(await running.number()).toBe(4);
});

it('the stream of the page shows who comes and goes, as it happens', async () => {
  await using api = await RestartingApi.open({ API_KEY: 'k3y' });
  await using running = new Script(stream, api);
  await expect.poll(() => readersOf(api)).toContain('steward_events_listeners{door="stream"} 1');
  api.happens('players');
  expect(await running.line()).toBe('players.left 1');
});

async function readersOf({ origin, key }: RestartingApi): Promise<string> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  return await answer.text();
}
