import { readFileSync } from 'node:fs';
import { stringifyExact } from '@steward/service-kit/json';
import type { Command } from '@steward/shared/bridge/commands';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CommandResult, operation } from '../../src/game/operations/operation.ts';
import { hello, openStage, settled } from './stage/stage.ts';

const page = readFileSync(new URL('../../../../docs/game-bridge.md', import.meta.url), 'utf8');
/** All that a game says on the protocol's page. */
const documented = [...page.matchAll(/^game (\{.*\})$/gm)].map(([, line = '']): unknown => JSON.parse(line));

const applied = (before: object, after: object) => ({ outcome: 'applied', before, after });
/** The api's first requests to a game have small ids, so some of these answer one. */
const answers = ['1', '2', '3'].flatMap((id) =>
  [
    applied({ fps: 60 }, { fps: 30 }),
    applied({ timeOfDay: 600 }, { timeOfDay: 900 }),
    { outcome: 'refused', code: 'busy', message: 'later' },
    { entries: [{ command: '1', state: 'applied', outcome: applied({ fps: 60 }, { fps: 30 }) }] },
  ].map((result) => ({ jsonrpc: '2.0', id, result })),
);
const line = hostileJson(...documented, ...answers).map((text) => Buffer.from(text.replaceAll('\n', ' ')));
const lines = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: line },
    { weight: 1, arbitrary: garbage() },
    { weight: 2, arbitrary: damaged(line) },
  ),
  { minLength: 1, maxLength: 12 },
);
const inFlight: readonly Command[] = [
  { name: 'setRenderRate', params: { fps: 30 } },
  { name: 'grantAdmin', params: { target: { name: 'Robin' } } },
  { name: 'save', params: {} },
];

/** Whoever waited for a command was told how it ended, in a form that the API answers with. */
function expectTold(result: CommandResult): void {
  if (result.kind !== 'operation') {
    expect(result.kind).toMatch(/^(unavailable|unsupported)$/);
    return;
  }
  expect(operation.parse(result.operation)).toEqual(result.operation);
  expect(result.operation.state).toMatch(/^(applied|refused|void|unknown)$/);
}

it('finds what a game says on the page', { timeout: 3_600_000 }, () => {
  expect(documented.length).toBeGreaterThan(10);
});

it('a hostile game is answered or cut off; its state can be read, and the next game is welcome', {
  timeout: 3_600_000,
}, async () => {
  const escaped: unknown[] = [];
  const note = (error: unknown) => escaped.push(error);
  process.on('uncaughtException', note).on('unhandledRejection', note);
  await fc
    .assert(
      fc.asyncProperty(lines, async (said) => {
        const { bridge, game, mode, clock } = await openStage();
        const results = inFlight.map((command) => bridge.run(command));
        await settled();
        await withstandAsync(async () => {
          for (const bytes of said)
            if (!game.output.destroyed) game.output.write(Buffer.concat([bytes, Buffer.from('\n')]));
          await settled();
        });
        expect(bridge.state.link.status).toMatch(/^(live|gone)$/);
        expect(() => stringifyExact(bridge.state)).not.toThrow();
        game.cut();
        await settled();
        clock.advance(120_000);
        await settled();
        for (const result of await Promise.all(results)) expectTold(result);
        const next = mode.connect();
        next.say(hello);
        await settled();
        expect(next.heard()[0]).toHaveProperty('result');
        expect(bridge.state.link.status).toBe('live');
        expect(escaped).toEqual([]);
        await bridge.stop();
      }),
      { numRuns: count({ small: 200, long: 50_000 }) },
    )
    .finally(() => process.off('uncaughtException', note).off('unhandledRejection', note));
});
