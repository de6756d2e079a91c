import { readFileSync } from 'node:fs';
import { commands } from '@steward/shared/bridge/commands';
import { gameEvent } from '@steward/shared/bridge/events';
import { gameSettings } from '@steward/shared/bridge/settings';
import { expect, it } from 'vitest';
import { allRules, reportLines } from '../src/conformance.ts';
import { usualPatience } from '../src/driver/patience.ts';
import { usage } from '../src/options.ts';

const page = readFileSync(new URL('../../../docs/game-bridge.md', import.meta.url), 'utf8');

it.each(allRules)('sends whoever breaks $id to a section that exists', ({ section }) => {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''));
  expect(headings).toContain(section);
});

it.each(['game', 'server'] as const)('names every member of settings.%s', (part) => {
  const [, table = ''] = new RegExp(`^\\| \`settings\\.${part}\`([\\s\\S]*?)\\n\\n`, 'm').exec(page) ?? [];
  const missing = Object.keys(gameSettings.shape[part].shape).filter(
    (name) => !table.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

it.each([
  ['command', Object.keys(commands)],
  ['event', gameEvent.options.map(({ shape }) => shape.kind.value)],
])('has a row of a table for each %s', (_what, names) => {
  const described = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, first = '']) => first);
  expect(names.filter((name) => !described.some((first) => first.includes(`\`${name}\``)))).toEqual([]);
});

it('gives a game as long to exit as GAME_STOP_TIMEOUT does by default', () => {
  const configuration = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
  const [, seconds] = /^\| `GAME_STOP_TIMEOUT` .*\| `(\d+)` \|/m.exec(configuration) ?? [];
  expect(usualPatience.exitsMs).toBe(Number(seconds) * 1_000);
});

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the page of the package names every option, and shows a report as it is', () => {
  const options = [...usage.matchAll(/--[a-z]+/g)].map(([option]) => option);
  expect(options).toContain('--ticket');
  expect(options.filter((option) => !readme.includes(option))).toEqual([]);
  const [rule] = allRules.filter(({ id }) => id === 'claim-before-apply');
  if (rule === undefined) throw new Error('there is no such rule');
  expect(readme).toContain(
    reportLines({ rule, verdict: 'broken', what: 'setTime was applied without a claim' }),
  );
});
