import { readFileSync } from 'node:fs';
import { readOptions } from '@steward/platform-emulator/program/options';
import { expect, it } from 'vitest';
import { variables } from '../src/configuration.ts';
import { program } from '../src/program.ts';

const page = readFileSync(new URL('../../../docs/platform-emulator.md', import.meta.url), 'utf8');
const [, block = ''] = /## The sidecar against it.*?```sh\n(.*?)```/s.exec(page) ?? [];

it('docs/platform-emulator.md sets up against the emulator as both programs are', () => {
  const [, given = ''] = /platform-emulator -- (.*?) >/.exec(block) ?? [];
  const { accounts, entrance } = readOptions(given.split(' '));
  expect(page).toContain(`The name is \`${accounts[0]?.name}\`, the password \`${accounts[0]?.password}\``);
  expect(block).toContain(`PLATFORM_PROXY=http://${entrance.host}:${entrance.port} `);
  const set = [...block.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
  expect(set).toEqual(['PLATFORM_PROXY', 'NODE_EXTRA_CA_CERTS', 'SESSION_DIR', 'GAME_DIR']);
  expect(Object.keys(variables)).toEqual(
    expect.arrayContaining(set.filter((name) => name !== 'NODE_EXTRA_CA_CERTS')),
  );
  const [, command = ''] = /platform-auth -- (\w+)/.exec(block) ?? [];
  expect(Object.keys(program.commands)).toContain(command);
});

const imports = page.matchAll(/^import \{ (.+) \} from '@steward\/platform-emulator\/(.+)';$/gm);
const imported = [...imports].flatMap(([, names = '', path = '']) =>
  names.split(', ').map((name) => ({ name, path })),
);

it.each(imported)('docs/platform-emulator.md imports $name from where it is', ({ name, path }) => {
  const source = readFileSync(new URL(`../../platform-emulator/src/${path}.ts`, import.meta.url), 'utf8');
  expect(source).toMatch(new RegExp(`^export (async function|function|const) ${name}\\b`, 'm'));
  const isAsync = source.includes(`export async function ${name}(`);
  const calls = page.match(new RegExp(`(await )?\\b${name}\\(`, 'g')) ?? [];
  expect(calls.filter((call) => call.startsWith('await ') !== isAsync)).toEqual([]);
});
