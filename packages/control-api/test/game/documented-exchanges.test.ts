import { readFileSync } from 'node:fs';
import { type Command, isCommandName } from '@steward/shared/bridge/commands';
import { askedNames } from '@steward/shared/bridge/methods';
import { expect, it } from 'vitest';
import { buildBridge, type GameEnd, MemoryMode, settled } from './stage/stage.ts';

const page = readFileSync(new URL('../../../../docs/game-bridge.md', import.meta.url), 'utf8');
const exchanges = [...page.matchAll(/```bridge\n([\s\S]*?)```/g)].map(([, text = '']) =>
  text.trim().split('\n'),
);

type Message = Record<string, unknown>;

it('finds the exchanges of the page', () => {
  expect(exchanges.length).toBeGreaterThanOrEqual(7);
});

it.each(exchanges.map((lines) => ({ lines, first: lines[0]?.slice(0, 60) })))(
  'replays as documented: $lines.length lines',
  async ({ lines }) => {
    const ids: string[] = [];
    const mode = new MemoryMode();
    const bridge = buildBridge({ mode, newCommandId: () => ids.shift() ?? 'none' });
    await bridge.start();
    let game = mode.connect();
    let heard: Message[] = [];
    for (const line of lines) {
      if (line.startsWith('#')) continue;
      if (line === 'reconnect') game = await again(game, mode);
      else if (line.startsWith('game ')) game.say(line.slice(5));
      else {
        const expected = JSON.parse(line.replace(/^api +/, '')) as Message;
        const { command, ...params } = (expected['params'] ?? {}) as Message;
        if (typeof expected['method'] === 'string' && isCommandName(expected['method'])) {
          ids.push(String(command));
          void bridge.run({ name: expected['method'], params } as Command);
        }
        const asked = askedNames.find((name) => name === expected['method']);
        if (asked !== undefined) void bridge.ask(asked);
        await settled();
        heard = [...heard, ...game.heard()];
        expect(matches(expected, heard.shift()), `${line}\n came as ${JSON.stringify(heard)}`).toBe(true);
      }
      await settled();
    }
    expect([...heard, ...game.heard()]).toEqual([]);
    expect(game.closed).toBe(lines.some((line) => line.includes('-32001')));
  },
);

async function again(game: GameEnd, mode: MemoryMode): Promise<GameEnd> {
  game.cut();
  await settled();
  return mode.connect();
}

/** `"…"` on the page stands for anything. */
function matches(expected: unknown, given: unknown): boolean {
  if (expected === '…') return given !== undefined;
  if (typeof expected !== 'object' || expected === null) return expected === given;
  if (typeof given !== 'object' || given === null) return false;
  const keys = new Set([...Object.keys(expected), ...Object.keys(given)]);
  return [...keys].every((key) => matches((expected as Message)[key], (given as Message)[key]));
}
