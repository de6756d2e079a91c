import { readFileSync } from 'node:fs';
import { type Command, isCommandName } from '@steward/shared/bridge/commands';
import { askedNames } from '@steward/shared/bridge/methods';
import { definitionOf, schemaProblems } from '@steward/testing/game/bridge-schema';
import { expect, it } from 'vitest';
import { buildBridge, type GameEnd, MemoryMode, settled } from './stage/stage.ts';

const page = readFileSync(new URL('../../../../docs/game-bridge.md', import.meta.url), 'utf8');
const exchanges = [...page.matchAll(/```bridge\n([\s\S]*?)```/g)].map(([, text = '']) =>
  text.trim().split('\n'),
);

type Message = Record<string, unknown>;

/** What a page shows to tell how it is answered. */
const misunderstood = /^game (this is not JSON|.*"method":"whatever")/;

it('finds the exchanges of the page', () => {
  expect(exchanges.length).toBeGreaterThanOrEqual(7);
});

it.each(exchanges.map((lines) => ({ lines, first: lines[0]?.slice(0, 60) })))(
  'replays as documented: $lines.length lines',
  async ({ lines }) => {
    const ids: string[] = [];
    const fits = inItsForm();
    const mode = new MemoryMode();
    const bridge = buildBridge({ mode, newCommandId: () => ids.shift() ?? 'none' });
    await bridge.start();
    let game = mode.connect();
    let heard: Message[] = [];
    for (const line of lines) {
      if (line.startsWith('#')) continue;
      if (line === 'reconnect') game = await again(game, mode);
      else if (line.startsWith('game ')) {
        game.say(line.slice(5));
        if (!misunderstood.test(line)) fits('FromGame', JSON.parse(line.slice(5)));
      } else {
        const expected = JSON.parse(line.replace(/^api +/, '')) as Message;
        const { command, ...params } = (expected['params'] ?? {}) as Message;
        if (typeof expected['method'] === 'string' && isCommandName(expected['method'])) {
          ids.push(String(command));
          void bridge.run({ name: expected['method'], params } as Command);
        }
        const asked = askedNames.find((name) => name === expected['method']);
        if (asked !== undefined) void bridge.ask(asked);
        await settled();
        const said = game.heard();
        for (const message of said) fits('FromControlApi', message);
        heard = [...heard, ...said];
        expect(matches(expected, heard.shift()), `${line}\n came as ${JSON.stringify(heard)}`).toBe(true);
      }
      await settled();
    }
    expect([...heard, ...game.heard()]).toEqual([]);
    expect(game.closed).toBe(lines.some((line) => line.includes('-32001')));
  },
);

/** Holds each message of a conversation against docs/bridge-schema.json; a result is the one of what was asked last by its id. */
function inItsForm() {
  const asked = {
    FromGame: new Map<string | undefined, string>(),
    FromControlApi: new Map<string | undefined, string>(),
  };
  return (from: keyof typeof asked, message: Message) => {
    const { id, method, result } = message as { id?: string; method?: string; result?: Message };
    expect(schemaProblems(from, message)).toBe('');
    if (method !== undefined) asked[from].set(id, method);
    if (result === undefined) return;
    const question = asked[from === 'FromGame' ? 'FromControlApi' : 'FromGame'].get(id) ?? '';
    const isCommand = isCommandName(question);
    expect(schemaProblems(isCommand ? 'CommandOutcome' : definitionOf(question, 'Result'), result)).toBe('');
    if (!isCommand) return;
    for (const change of [result['before'], result['after']])
      if (change !== undefined) expect(schemaProblems(definitionOf(question, 'Change'), change)).toBe('');
  };
}

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
