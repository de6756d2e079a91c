import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chatErrorCodes, closeCodes } from '@steward/shared/chat/rules';
import { expect, it } from 'vitest';
import { ChatCounts } from '../../src/chat/closings.ts';
import { chatVariables } from '../../src/chat/limits.ts';
import { applied, ChatStage, key } from './stage/chat-stage.ts';

const page = readFileSync(new URL('../../../../docs/chat-bots.md', import.meta.url), 'utf8');

/** A program that writes lines, and a way to wait for them. */
class Bot implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown[]>;
  readonly #lines: AsyncIterator<string>;

  constructor(name: string, program: string, port: number, environment: NodeJS.ProcessEnv = {}) {
    const file = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
    this.#child = spawn(program, [file], {
      env: {
        PATH: process.env['PATH'],
        API: `http://127.0.0.1:${port}`,
        API_KEY: key,
        BOT_NAME: 'Robin',
        RECONNECT_SECONDS: '0.05',
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#exited = once(this.#child, 'exit');
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('the bot has no output');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const { value } = (await this.#lines.next()) as { value: string };
    return value;
  }

  /** With which status it ended by itself. */
  async ended(): Promise<unknown> {
    const [status] = await this.#exited;
    return status;
  }

  /** By which signal it ended, sent as Ctrl-C sends it. */
  async interrupted(): Promise<unknown> {
    this.#child.kill('SIGINT');
    const [, signal] = await this.#exited;
    return signal;
  }

  /** Nobody reads what it shows any more, as when `| head` has seen enough. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

/** Resolves when so many clients have resumed in all. */
async function resumed(stage: ChatStage, times: number): Promise<void> {
  while (stage.relay.counts.resumed < times) await new Promise<void>((resolve) => setImmediate(resolve));
}

const bots = [
  ['chat-bot.mjs', process.execPath],
  ['chat_bot.py', '/usr/bin/python3'],
] as const;

it.each(bots)(
  'examples/%s shows chat, speaks, misses nothing while it is cut off, and gives up when its key ends, or is wrong',
  async (name, program) => {
    await using stage = await ChatStage.open();
    const spoken = Promise.withResolvers<void>();
    stage.answer = async () => {
      spoken.resolve();
      return applied;
    };
    await using bot = new Bot(name, program, stage.port);
    await resumed(stage, 1);
    stage.say('good morning');
    expect(await bot.line()).toBe('Abigail: good morning');

    bot.type('hello from outside');
    await spoken.promise;
    expect(stage.commands).toEqual([
      { name: 'sendChat', params: { author: 'Robin', message: 'hello from outside' } },
    ]);

    stage.cut();
    stage.say('one');
    stage.say('two');
    await resumed(stage, 2);
    stage.say('three');
    for (const text of ['one', 'two', 'three']) expect(await bot.line()).toBe(`Abigail: ${text}`);

    stage.keys.end(key);
    expect(await bot.ended()).toBe(1);
    // One that is wrong is tried once, not until nobody at this address is let in any more.
    await using mistyped = new Bot(name, program, stage.port, { API_KEY: `${key}x` });
    expect(await mistyped.ended()).toBe(1);
  },
);

it.each(bots)('examples/%s ends on Ctrl-C while it waits for a line', async (name, program) => {
  await using stage = await ChatStage.open();
  await using bot = new Bot(name, program, stage.port);
  await resumed(stage, 1);
  expect(await bot.interrupted()).toBe('SIGINT');
});

it.each(bots)('examples/%s ends when nobody reads what it shows', async (name, program) => {
  await using stage = await ChatStage.open();
  await using bot = new Bot(name, program, stage.port);
  await resumed(stage, 1);
  bot.stopReading();
  stage.say('one');
  stage.say('two');
  expect(await bot.ended()).toBe(1);
});

it.each(bots)('examples/%s shows a message as one line, without terminal orders', async (name, program) => {
  await using stage = await ChatStage.open();
  await using bot = new Bot(name, program, stage.port);
  await resumed(stage, 1);
  stage.say('a\u009b2Jb\u202ec\u2028d\u007fe', 'Abi\ngail');
  expect(await bot.line()).toBe('Abi gail: a 2Jb c d e');
});

it('examples/chat_bot.py goes on after a character that its output, or its input, cannot have', async () => {
  await using stage = await ChatStage.open();
  const spoken = Promise.withResolvers<void>();
  stage.answer = async () => {
    spoken.resolve();
    return applied;
  };
  await using bot = new Bot('chat_bot.py', '/usr/bin/python3', stage.port, { PYTHONIOENCODING: 'ascii' });
  await resumed(stage, 1);
  stage.say('I \u2764 half of one: \ud83d');
  expect(await bot.line()).toBe('Abigail: I \\u2764 half of one: \\ud83d');
  bot.type('n\u00e4her');
  await spoken.promise;
  expect(stage.commands).toEqual([
    { name: 'sendChat', params: { author: 'Robin', message: 'n\ufffd\ufffdher' } },
  ]);
});

/** The tests run on a newer Node: in Node 22, a WebSocket that cannot connect fires `error` and no `close`. */
const webSocketOfNode22 = `
globalThis.WebSocket = class extends WebSocket {
  constructor(url) {
    super(url);
    let isOpen = false;
    this.addEventListener('open', () => { isOpen = true; });
    this.addEventListener('close', (event) => { if (!isOpen) event.stopImmediatePropagation(); });
  }
};`;

it('examples/chat-bot.mjs connects again after it could not, also on Node 22', async () => {
  await using stage = await ChatStage.open();
  // From an address with so many wrong keys no upgrade is let in.
  for (let tried = 0; tried < 10; tried += 1) {
    const client = await stage.client();
    client.send({ type: 'auth', payload: { token: 'wrong' } });
    await client.closed;
  }
  const preload = `data:text/javascript,${encodeURIComponent(webSocketOfNode22)}`;
  await using bot = new Bot('chat-bot.mjs', process.execPath, stage.port, {
    NODE_OPTIONS: `--import ${preload}`,
  });
  await expect.poll(() => stage.relay.counts.refused['wrong-keys']).toBeGreaterThan(1);
  stage.clock.advance(60_000);
  await resumed(stage, 1);
  stage.say('good morning');
  expect(await bot.line()).toBe('Abigail: good morning');
});

it('names every limit that can be set, what is counted of each, every error and every close code', () => {
  for (const variable of Object.keys(chatVariables)) expect(page).toContain(`\`${variable}\``);
  const { closed, refused } = new ChatCounts();
  for (const reason of Object.keys(closed)) expect(page).toContain(`\`closed{reason="${reason}"}\``);
  for (const limit of Object.keys(refused)) expect(page).toContain(`\`refused{limit="${limit}"}\``);
  for (const code of Object.keys(chatErrorCodes)) expect(page).toContain(`\`${code}\``);
  for (const { code } of Object.values(closeCodes)) expect(page).toContain(String(code));
});
