import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { villagers } from '@steward/simulated-game/visitors/visitors';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../../docs/simulated-farm.md', import.meta.url), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The commands under “Running it”, with another directory than the page's. */
const [spawning = '', dialling = ''] = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
  ([, commands = '']) => commands,
);
const theirDirectory = '.steward/by-hand';

function variables(commands: string, directory: string): Record<string, string> {
  const set = commands.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)=('[^']*'|\S*)/g);
  return Object.fromEntries(
    [...set].map(([, name = '', value = '']) => [
      name,
      value.replaceAll("'", '').replace(theirDirectory, directory),
    ]),
  );
}

/** What `npm run` starts by that name. */
function entry(commands: string): string {
  const [, script = ''] = /npm run ([a-z-]+)$/m.exec(commands) ?? [];
  const [, file = ''] = /env node (?:--\S+ )*(\S+)$/.exec(scripts[script] ?? '') ?? [];
  return file;
}

function settings(directory: string): void {
  const [, text = ''] = /echo '([^']*)'/.exec(spawning) ?? [];
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'settings.json'), text);
}

async function firstPlayer(environment: Record<string, string>): Promise<string> {
  await using order = new Program(
    'packages/simulated-game/src/give-order.ts',
    ['join', 'Demetrius', '--ip'],
    environment,
  );
  await order.exited;
  return [...order.stdout, ...order.stderr].join('\n');
}

it('starts a farm by the control API as the page says, and a player comes', async () => {
  using directory = temporaryDirectory();
  settings(directory.path);
  const environment = { ...variables(spawning, directory.path), API_PORT: '0' };
  await using api = new Program(entry(spawning), [], environment);
  await api.line(/simulated farm \S+ is connected/);
  expect(await firstPlayer(environment)).toMatch(/^Demetrius is on the farm/);
  api.kill('SIGTERM');
  await api.exited;
});

it('dials a listening control API as the page says, and a player comes', async () => {
  using directory = temporaryDirectory();
  settings(directory.path);
  const environment = { ...variables(spawning, directory.path), GAME_BRIDGE: 'listen', API_PORT: '0' };
  await using api = new Program('packages/control-api/src/main.ts', [], environment);
  await using _farm = new Program(entry(dialling), [], {
    ...environment,
    ...variables(dialling, directory.path),
  });
  await api.line(/simulated farm \S+ is connected/);
  expect(await firstPlayer(environment)).toMatch(/^Demetrius is on the farm/);
});

it('keeps everything in the directory that the page names', () => {
  const paths = Object.entries(variables(spawning, '/elsewhere')).filter(([name]) =>
    /_DIR$|_PATH$|^FARM_CONTROL$/.test(name),
  );
  expect(paths.map(([name]) => name)).toEqual([
    'STATE_DIR',
    'SETTINGS_PATH',
    'FARM_SAVES_DIR',
    'FARM_CONTROL',
  ]);
  for (const [, path] of paths) expect(path).toMatch(/^\/elsewhere\//);
});

it.each([
  'docs/simulated-farm.md',
  'docs/operators.md',
  'docker-compose.yml',
  'packages/local-stack/src/what-to-try.ts',
])('has nobody join by the name of a visitor, who may be there already: %s', (file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const joining = [...text.matchAll(/(?:farm --|farm\.js|\$\{farm\}) join (\w+)/g)].map(([, name]) => name);
  expect(joining).not.toEqual([]);
  const visitors = villagers(20).map(({ name }) => name);
  expect(joining.filter((name) => name !== undefined && visitors.includes(name))).toEqual([]);
});
