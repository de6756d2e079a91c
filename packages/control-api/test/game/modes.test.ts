import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { Backoff, systemClock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readGameCommand } from '../../src/game/modes/game-command.ts';
import { ListenMode, parseListenAddress } from '../../src/game/modes/listen-mode.ts';
import { restartBackoff } from '../../src/game/modes/spawn-mode.ts';
import { buildBridge, hello, quiet } from './stage/stage.ts';

function listenAt(path: string): ListenMode {
  return new ListenMode({
    address: { kind: 'unix', path },
    secret: undefined,
    clock: systemClock,
    log: quiet,
  });
}

async function answerTo(socket: Socket, message: object): Promise<Record<string, unknown>> {
  socket.write(`${JSON.stringify(message)}\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return JSON.parse(chunk.toString()) as Record<string, unknown>;
}

it('listens on a socket that its owner alone can use, and leaves nothing behind', async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/deep/game.sock`;
  const bridge = buildBridge({ mode: listenAt(path) });
  await bridge.start();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const socket = connect(path);
  expect(await answerTo(socket, hello)).toHaveProperty('result');
  await Promise.all([once(socket, 'close'), bridge.stop()]);
  expect(() => statSync(path)).toThrow();
});

it('takes no web page for a game, whatever lines its request brings', async () => {
  const mode = new ListenMode({
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    secret: new Secret('between us'),
    clock: systemClock,
    log: quiet,
  });
  const bridge = buildBridge({ mode });
  await bridge.start();
  const [, port] = /:(\d+)$/.exec(mode.where) ?? [];
  const greetings = [hello, { ...hello, params: { ...hello.params, secret: 'a guess' } }];
  for (const greeting of greetings) {
    // As a form or a script of any site may send it, to any port of this machine.
    const request = fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', origin: 'https://elsewhere.example' },
      body: `\n${JSON.stringify(greeting)}\n`,
    });
    await expect(request).rejects.toThrow('fetch failed');
    expect(bridge.state.link.status).toBe('waiting');
  }
  const game = connect(Number(port), '127.0.0.1');
  const proven = { ...hello, params: { ...hello.params, secret: 'between us' } };
  expect(await answerTo(game, proven)).toHaveProperty('result');
  await Promise.all([once(game, 'close'), bridge.stop()]);
});

it('takes the place of a socket whose process is gone, and of nothing else', async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/game.sock`;
  const first = buildBridge({ mode: listenAt(path) });
  await first.start();
  await expect(buildBridge({ mode: listenAt(path) }).start()).rejects.toThrow(/another program listens/);
  await first.stop();
  const dead = createServer().listen(`${path}.dead`);
  await once(dead, 'listening');
  const { renameSync } = await import('node:fs');
  renameSync(`${path}.dead`, path);
  dead.close();
  await once(dead, 'close');
  const second = buildBridge({ mode: listenAt(path) });
  await second.start();
  await second.stop();
  writeFileSync(path, 'precious');
  await expect(buildBridge({ mode: listenAt(path) }).start()).rejects.toThrow(/not a socket/);
});

it('asks for the secret over TCP', async () => {
  const address = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const;
  const mode = new ListenMode({ address, secret: new Secret('between us'), clock: systemClock, log: quiet });
  const bridge = buildBridge({ mode });
  await bridge.start();
  const dial = () => connect({ host: '127.0.0.1', port: Number(mode.where.split(':')[2]) });
  const stranger = dial();
  expect(await answerTo(stranger, hello)).toMatchObject({ error: { code: -32002 } });
  await once(stranger, 'close');
  const friend = dial();
  const knows = { ...hello, params: { ...hello.params, secret: 'between us' } };
  expect(await answerTo(friend, knows)).toHaveProperty('result');
  friend.destroy();
  await bridge.stop();
});

it('lets another game in over TCP once the one before does not answer any more', async () => {
  const address = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const;
  const mode = new ListenMode({ address, secret: new Secret('between us'), clock: systemClock, log: quiet });
  const clock = new ManualClock();
  const bridge = buildBridge({ mode, clock });
  await bridge.start();
  const dial = () => connect({ host: '127.0.0.1', port: Number(mode.where.split(':')[2]) });
  const proven = { ...hello, params: { ...hello.params, secret: 'between us' } };
  const vanished = dial();
  expect(await answerTo(vanished, proven)).toHaveProperty('result');
  vanished.resume();
  clock.advance(5_000);
  expect(bridge.state.link.status).toBe('frozen');
  expect(await answerTo(dial(), proven)).toMatchObject({ error: { code: -32003 } });
  const gone = once(vanished, 'close');
  clock.advance(5_000);
  await gone;
  const successor = dial();
  expect(await answerTo(successor, proven)).toHaveProperty('result');
  successor.destroy();
  await bridge.stop();
});

it('grows its pauses to the longest, with jitter, and begins again after a steady run', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 12 }),
      (randoms) => {
        let index = 0;
        const backoff = new Backoff(restartBackoff, () => randoms[index++ % randoms.length] ?? 0);
        for (let attempt = 0; attempt < 10; attempt += 1) {
          const full = Math.min(60_000, 1_000 * 2 ** attempt);
          const pause = backoff.pause(10);
          expect(pause).toBeGreaterThanOrEqual(Math.floor(full / 2));
          expect(pause).toBeLessThanOrEqual(full);
        }
        expect(backoff.pause(60_000)).toBeLessThanOrEqual(1_000);
      },
    ),
  );
});

it.each([
  ['unix:/run/game.sock', { kind: 'unix', path: '/run/game.sock' }],
  ['tcp:127.0.0.1:7300', { kind: 'tcp', host: '127.0.0.1', port: 7300 }],
  ['tcp:[::1]:7300', { kind: 'tcp', host: '::1', port: 7300 }],
])('reads the address %s', (text, value) => {
  expect(parseListenAddress(text)).toEqual({ ok: true, value });
});

it.each(['', 'unix:', `unix:/${'x'.repeat(110)}`, 'tcp:7300', 'tcp:host:70000', 'tcp::1:7300', 'http://x'])(
  'refuses the address %s',
  (text) => {
    expect(parseListenAddress(text).ok).toBe(false);
  },
);

it.each(['', 'mono Game.exe', '[]', '[""]', '["mono", 7]', '{}'])('refuses the command %o', (text) => {
  expect(() => readGameCommand(text)).toThrow(/^GAME_COMMAND .*JSON array/);
});
