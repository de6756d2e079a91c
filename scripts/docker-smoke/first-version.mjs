import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { root } from '../prepare/root.mjs';
import { say } from './engine.mjs';
import { real } from './new-operator.mjs';
import { loggedIn } from './setup.mjs';
import { until } from './until.mjs';

const left = join(root, 'test/first-version');
const joinableWithinMs = 120_000;

/** The newest command that was left; all of them are of that day. */
const newest = Date.parse('2026-11-22T06:51:26.121Z');

/** What was done under this key is remembered, and not done again: the operation as the first version numbered it. */
const done = { path: '/time?value=1200', key: 'first-time', operationId: '992993123773636966' };

/** Puts what the first version left into the volumes of a project that has nothing yet, and starts today's containers over it. */
export async function takesUpTheFirstVersion(project, directory) {
  const env = join(left, 'operator.env');
  const { API_KEY: key } = parseEnv(readFileSync(env, 'utf8'));
  project.overrides = [besideIt(directory)];
  project.envFile = env;
  const files = copyOfWhatWasLeft(directory);
  fill(project, 'server', '/data/state', join(files, 'state'));
  fill(project, 'server', '/data/settings', join(files, 'settings'));
  fill(project, 'platform-auth', '/data/platform-session', join(files, 'session'));
  fill(project, 'demo', '/data/farm', join(files, 'farm'));

  // Its certificate has to be there before a process starts that trusts it.
  await project.up(['demo-platform']);
  await project.up([...real, 'first-farm'], real);
  await loggedIn(project);
  const api = `http://127.0.0.1:${project.env.API_PORT}`;
  const ask = async (path, options = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...options.headers };
    const answer = await fetch(`${api}${path}`, { ...options, headers }).catch(() => undefined);
    return answer?.json();
  };
  await until('players can join', joinableWithinMs, async () => (await ask('/status'))?.isJoinable);

  const { farmhands } = await ask('/farmhands');
  for (const [name, door] of [
    ['Abigail', 'platform'],
    ['Harvey', 'network'],
  ]) {
    const found = farmhands.find((each) => each.name === name);
    if (!found?.owned || found.door !== door)
      throw new Error(`${name} is nobody's: ${JSON.stringify(found)}`);
  }
  const { server } = await ask('/settings');
  if (server.maxPlayers !== 12) throw new Error(`the settings are lost: ${JSON.stringify(server)}`);
  const { obstacles, day } = await ask('/status');
  if (obstacles.length > 0 || day !== 2) throw new Error(`day ${day}: ${JSON.stringify(obstacles)}`);
  const again = await ask(done.path, { method: 'POST', headers: { 'idempotency-key': done.key } });
  if (again?.operationId !== done.operationId) throw new Error(`it was done again: ${JSON.stringify(again)}`);
  say('what the first version left is all there: session, owners, settings, farm and what was done');
}

/** A farm beside the real server, as nobody brings one along, and an emulated platform, whose usual account the session is of. */
function besideIt(directory) {
  const file = join(directory, 'first-version.yml');
  const services = {
    'platform-auth': {
      networks: ['demo'],
      volumes: ['demo-clients:/data/clients:ro'],
      environment: {
        PLATFORM_PROXY: 'http://demo-platform:8443',
        NODE_EXTRA_CA_CERTS: '/data/clients/ca.pem',
      },
    },
    'demo-platform': {
      command: [
        ...['--host', '0.0.0.0', '--port', '8443', '--name', 'demo-platform'],
        ...['--clients', '/data/clients', '--keep', '/data/platform'],
      ],
    },
    'first-farm': {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: compose fills it in.
      image: '${DEMO_FARM_IMAGE}',
      network_mode: 'none',
      volumes: ['state:/data/state', 'demo-farm:/data/farm', 'demo-clients:/data/clients:ro'],
      environment: {
        FARM_BRIDGE: 'unix:/data/state/game.sock',
        FARM_SAVES_DIR: '/data/farm/saves',
        FARM_CONTROL: '/tmp/farm.sock',
        FARM_TICKET_KEY_FILE: '/data/clients/ticket-key',
        FARM_VISITORS: '0',
      },
    },
  };
  // JSON is YAML, too.
  writeFileSync(file, JSON.stringify({ services }));
  return file;
}

/** As it lay in its volumes, with the commands as if they had just been carried out: they are remembered for a day. */
function copyOfWhatWasLeft(directory) {
  const files = join(directory, 'first-version');
  cpSync(left, files, { recursive: true });
  for (const [from, to] of [
    ['server-settings.json', 'settings/server-settings.json'],
    ['farm-save.json', 'farm/save.json'],
  ]) {
    cpSync(join(files, from), join(files, to));
    rmSync(join(files, from));
  }
  const commands = join(files, 'state/operations.jsonl');
  const later = Date.now() - newest;
  const dated = readFileSync(commands, 'utf8').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (date) =>
    new Date(Date.parse(date) + later).toISOString(),
  );
  writeFileSync(commands, dated);
  return files;
}

/** Lays files into a volume where a service mounts it, as its own user. */
function fill(project, service, place, files) {
  const packed = spawnSync('tar', ['-C', files, '-c', ...readdirSync(files)]);
  const run = ['run', '--rm', '-T', '--no-deps', '--entrypoint', 'tar', service, '-C', place, '-x'];
  const [program, ...args] = project.command('--profile', 'demo', ...run);
  const { status, stderr } = spawnSync(program, args, { cwd: root, env: project.env, input: packed.stdout });
  if (status !== 0) throw new Error(`${place} of ${service} could not be filled: ${stderr}`);
}
