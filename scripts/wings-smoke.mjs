// Starts both eggs of deploy/pelican in containers that are made exactly as Wings, the daemon of Pelican and Pterodactyl, makes them,
// with the emulated platform and the simulated farm as the game: installs, waits for the line that the panel waits for, lets a player join, and stops by ^C. Needs a Docker
// engine on this machine, root for Wings' own user, and the images as docker-compose.yml names them (`docker compose --profile demo build`):
//   node scripts/wings-smoke.mjs [--skip-without-engine]

import { spawnSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { output, whyNoEngine } from './docker-smoke/engine.mjs';
import { json, until } from './docker-smoke/until.mjs';
import { Node, user } from './wings-smoke/node.mjs';
import { WingsServer } from './wings-smoke/wings-server.mjs';

const {
  SERVER_IMAGE: serverImage = 'steward-server',
  PLATFORM_AUTH_IMAGE: sidecarImage = 'steward-platform-auth',
  DEMO_FARM_IMAGE: farmImage = 'steward-demo-farm',
  DEMO_PLATFORM_IMAGE: platformImage = 'steward-demo-platform',
  // Whatever has a bash: an installer's image of the panels is made for that.
  INSTALLER_IMAGE: installerImage = 'node:24-bookworm-slim',
} = process.env;

// Pelican kills what has not ended ten seconds after the signal; Pterodactyl waits for ten minutes.
const killedAfterSeconds = 10;
const joinableWithinMs = 180_000;
const joinsWithinMs = 120_000;
const filesWithinMs = 60_000;
const pagePort = 18_090;

const skipOption = '--skip-without-engine';

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const unknown = args.find((arg) => arg !== skipOption);
  if (unknown !== undefined) {
    say(`there is no option "${unknown}"; the only one is ${skipOption}`);
    return 1;
  }
  const missing = whyNoEngine();
  if (missing !== undefined) {
    say(args.length > 0 ? `skipped: ${missing}` : missing);
    return args.length > 0 ? 0 : 1;
  }
  const node = new Node();
  const platform = `${node.network}-platform`;
  const gameImage = `${node.network}-server`;
  const servers = [];
  try {
    await node.prepare();
    await everything(node, platform, gameImage, servers);
    say('all in order');
    return 0;
  } catch (error) {
    for (const { egg, console: shown } of servers)
      say(`the console of "${egg.name}":\n${stripVTControlCharacters(shown).slice(-4_000)}`);
    say(error.stack);
    return 1;
  } finally {
    await node.remove([platform, ...servers.map(({ uuid }) => uuid)]);
    spawnSync('docker', ['rmi', '--force', gameImage]);
  }
}

async function everything(node, platform, gameImage, servers) {
  addGame(gameImage);
  const clients = await emulator(node, platform);
  const secret = randomBytes(32).toString('base64');
  const key = randomBytes(32).toString('base64');
  const standIn = { source: clients, target: '/data/clients' };

  const sidecar = new WingsServer(node, 'egg-steward-sidecar.json', {
    image: sidecarImage,
    values: {
      PLATFORM_USERNAME: 'demo',
      PLATFORM_PASSWORD: 'demo',
      PLATFORM_AUTH_SECRET: secret,
      PLATFORM_PROXY: `http://${platform}:8443`,
    },
    mounts: [standIn],
    beside: { NODE_EXTRA_CA_CERTS: '/data/clients/ca.pem' },
  });
  servers.push(sidecar);
  await sidecar.install(installerImage);
  const farm = new WingsServer(node, 'egg-steward-farm.json', {
    image: gameImage,
    values: {
      API_KEY: key,
      DASHBOARD_PORT: String(pagePort),
      // On one node, servers find each other by their UUIDs.
      PLATFORM_AUTH_URL: `http://${sidecar.uuid}:3001`,
      PLATFORM_AUTH_SECRET: secret,
      GAME_COMMAND: '["node","/farm/dist/main.js"]',
      GAME_ENV: 'FARM_*',
    },
    allocation: pagePort,
    mounts: [standIn, { source: join(sidecar.volume, 'game'), target: '/data/game' }],
    beside: {
      FARM_TICKET_KEY_FILE: '/data/clients/ticket-key',
      FARM_SAVES_DIR: '/home/container/saves',
      FARM_CONTROL: '/tmp/farm.sock',
    },
  });
  servers.push(farm);
  await farm.install(installerImage);
  say('both eggs are installed');

  for (const server of servers) await startsAsWingsWaits(server);
  for (const server of servers) isConfined(server);
  await playerJoins(farm, key, 'Robin');
  await keepsItsSession(sidecar);
  for (const server of servers) tellsNoneOf(server, [secret, key]);
  // A player is there: what the panel's Stop does must not take longer for that.
  for (const server of servers.toReversed()) await stops(server, 'as Wings sends ^C', () => server.signal());

  for (const server of servers) await keepsItsFiles(server, () => server.install(installerImage));
  for (const server of servers) await startsAsWingsWaits(server);
  await joinable(farm, key);
  say('installed once more, started, made again, the farm is joinable again');
  for (const server of servers.toReversed()) {
    server.type('help\n');
    await stops(server, 'by ^C typed at its terminal', () => server.type('\x03'));
  }
}

/** The image of whoever has a panel: Steward's, with a game in it. */
function addGame(image) {
  const { status, stderr } = spawnSync('docker', ['build', '--quiet', '--tag', image, '-'], {
    input: `FROM ${serverImage}\nCOPY --from=${farmImage} /app /farm\n`,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the image with a game cannot be built: ${stderr}`);
}

/** The platform's stand-in is no server of the panel: an ordinary container beside them. */
async function emulator(node, name) {
  const clients = node.directory('clients');
  output('docker', [
    ...['run', '--detach', '--name', name, '--network', node.network, '--user', `${user}:${user}`],
    ...['--volume', `${clients}:/data/clients`, platformImage],
    ...[
      '--host',
      '0.0.0.0',
      '--port',
      '8443',
      '--name',
      name,
      '--account',
      'demo:demo',
      '--clients',
      '/data/clients',
    ],
  ]);
  await until('the emulated platform has written what its clients need', filesWithinMs, () =>
    ['ca.pem', 'ticket-key'].every((file) => readdirSync(clients).includes(file)),
  );
  return clients;
}

async function startsAsWingsWaits(server) {
  const ms = await server.start();
  say(`"${server.egg.name}" said that it is ready ${(ms / 1_000).toFixed(1)} s after its start`);
}

function isConfined({ uuid, egg }) {
  const status = output('docker', ['exec', uuid, 'cat', '/proc/1/status']);
  const facts = Object.fromEntries(
    [...status.matchAll(/^(\w+):\s+(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const seen = `uid ${facts['Uid'].split('\t')[0]}, NoNewPrivs ${facts['NoNewPrivs']}, CapEff ${facts['CapEff']}`;
  if (seen !== `uid ${user}, NoNewPrivs 1, CapEff 0000000000000000`) throw new Error(`${egg.name}: ${seen}`);
  say(`"${egg.name}" runs with ${seen}`);
}

function ask(farm, key, what) {
  const url = `http://${farm.node.address}:${pagePort}/api/${what}`;
  return fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(
    (answer) => answer.json(),
    () => undefined,
  );
}

async function joinable(farm, key) {
  await until('players can join', joinableWithinMs, async () => (await ask(farm, key, 'status'))?.isJoinable);
}

async function playerJoins(farm, key, name) {
  const page = await fetch(`http://${farm.node.address}:${pagePort}/`);
  if (!page.ok || !(await page.text()).includes('<html')) throw new Error(`the page answers ${page.status}`);
  if ((await json(`http://${farm.node.address}:${pagePort}/api/status`))?.status !== 401)
    throw new Error('the API on the allocation asks for no key');
  await joinable(farm, key);
  const { inviteCode } = await ask(farm, key, 'invite-code');
  say(`the page answers on the allocation; the code is ${inviteCode}`);
  // The player comes by the code of the primary platform, which may come after the farm is joinable by the other.
  await until('that code', joinsWithinMs, async () => (await ask(farm, key, 'status'))?.steamInviteCode);
  const answer = output('docker', ['exec', farm.uuid, 'node', '/farm/dist/farm.js', 'join', name]);
  await until(`${name} plays`, joinsWithinMs, async () => (await ask(farm, key, 'status'))?.playerCount > 0);
  say(`the farm says: ${answer}`);
}

/** Below the one directory that the panel gives a server, and for nobody else on the node. */
async function keepsItsSession({ volume }) {
  const directory = join(volume, 'platform-session');
  await until('the session is kept', filesWithinMs, () =>
    readdirSync(directory).includes('session-demo.json'),
  );
  const { uid, mode } = statSync(join(directory, 'session-demo.json'));
  const seen = `uid ${uid}, mode ${(mode & 0o777).toString(8)}`;
  if (seen !== `uid ${user}, mode 600`) throw new Error(`the session's file has ${seen}`);
  say(`the session is kept in platform-session below the server's directory: ${seen}`);
}

/** Everybody with the server reads its console. */
function tellsNoneOf({ egg, console: shown }, secrets) {
  if (secrets.some((secret) => shown.includes(secret))) throw new Error(`"${egg.name}" shows a secret`);
  say(`"${egg.name}" shows no secret on its console`);
}

/** The panel's Reinstall runs the egg's script over what is there. */
async function keepsItsFiles({ egg, volume }, install) {
  const before = filesBelow(volume);
  await install();
  const after = filesBelow(volume);
  if (after !== before) throw new Error(`reinstalling "${egg.name}" made of\n${before}\n${after}`);
  say(`"${egg.name}", installed once more, keeps its ${before.split('\n').length} files`);
}

/** Each with its owner, mode and content. */
function filesBelow(directory) {
  return readdirSync(directory, { recursive: true })
    .sort()
    .map((name) => {
      const path = join(directory, name);
      const { uid, mode } = statSync(path);
      const content = statSync(path).isFile() ? hash('sha256', readFileSync(path)) : '';
      return `${name} ${uid} ${mode.toString(8)} ${content}`;
    })
    .join('\n');
}

async function stops(server, how, act) {
  const { code, seconds } = await server.ended(act);
  say(`"${server.egg.name}", stopped ${how}, ended with ${code} after ${seconds.toFixed(1)} s`);
  if (code !== 0 || seconds > killedAfterSeconds)
    throw new Error(`${server.egg.name} does not stop as it should`);
}

function say(text) {
  console.error(`wings-smoke: ${text}`);
}
