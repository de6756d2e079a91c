// Builds every image, and does with docker-compose.yml what people do with it: tries the demo, starts a real server
// before its setup, tries the bots beside it, sets it up at a terminal, takes it down and up again, backs it up, moves its farm, takes up what the first version left, kills each container. Under a project name of
// its own, which it removes. Needs a Docker engine, `script` of util-linux, and nothing from npm:
//   node scripts/docker-smoke.mjs [--skip-without-engine]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { backsUp } from './docker-smoke/backup.mjs';
import { tryBots } from './docker-smoke/bots.mjs';
import { demo, joinable, playerJoins, tryDemo } from './docker-smoke/demo.mjs';
import { comesBack, stopsInOrder } from './docker-smoke/endings.mjs';
import { output, say, whyNoEngine } from './docker-smoke/engine.mjs';
import { takesUpTheFirstVersion } from './docker-smoke/first-version.mjs';
import { freePort } from './docker-smoke/free-port.mjs';
import { moves } from './docker-smoke/moving.mjs';
import { meetNewOperator, real } from './docker-smoke/new-operator.mjs';
import { Project } from './docker-smoke/project.mjs';
import { gameTree, givesTicket, loggedIn, meetEmulator, setUp } from './docker-smoke/setup.mjs';

const skipOption = '--skip-without-engine';

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const unknown = args.find((arg) => arg !== skipOption);
  if (unknown !== undefined) return fail(`there is no option "${unknown}"; the only one is ${skipOption}`);
  const missing = whyNoEngine();
  if (missing !== undefined && args.includes(skipOption)) {
    say(`skipped: ${missing}`);
    return 0;
  }
  if (missing !== undefined)
    return fail(`${missing}\nStart an engine or name one in DOCKER_HOST; ${skipOption} makes do without.`);

  const ports = await freePorts();
  const project = new Project(ports);
  const directory = mkdtempSync(join(tmpdir(), 'steward-smoke-'));
  try {
    await everything(project, ports, directory);
    say('all in order');
    return 0;
  } catch (error) {
    project.compose('logs', '--no-color', '--tail=50');
    return fail(error.message);
  } finally {
    project.remove();
    rmSync(directory, { recursive: true });
  }
}

/** Of all that a project publishes: another one may run beside it. */
async function freePorts() {
  const names = ['API_PORT', 'DASHBOARD_PORT', 'DEMO_API_PORT', 'DEMO_DASHBOARD_PORT'];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()])));
}

async function everything(project, { API_PORT: port, DEMO_API_PORT: demoPort }, directory) {
  project.compose('build');
  for (const image of Object.values(project.images)) saySize(image);

  await tryDemo(project, demoPort);
  await meetNewOperator(project, port);
  await tryBots(project);

  meetEmulator(project, directory);
  await project.up(['demo-platform', ...real]);
  await setUp(project);
  const game = gameTree(project);
  say(`the game is there, ${game.length} files of content`);

  project.compose('down');
  await project.up(['demo', ...real], [...demo, ...real]);
  await loggedIn(project);
  givesTicket(project);
  if (!isDeepStrictEqual(gameTree(project), game)) throw new Error('the game was downloaded again');
  await joinable(`http://127.0.0.1:${demoPort}`);
  say('after down and up everything is as it was');

  await backsUp(project, directory);
  const other = new Project(await freePorts(), '-other');
  const [from, to] = [demoPort, other.env['DEMO_API_PORT']].map((each) => `http://127.0.0.1:${each}`);
  try {
    await moves(project, other, { from, to }, directory);
  } finally {
    other.empty();
  }

  const operators = new Project(await freePorts(), '-first');
  try {
    await takesUpTheFirstVersion(operators, directory);
  } finally {
    operators.empty();
  }

  for (const service of [...demo, ...real]) await comesBack(project, service);
  await loggedIn(project);
  await joinable(`http://127.0.0.1:${demoPort}`);
  await playerJoins(project, `http://127.0.0.1:${demoPort}`, 'Robin');
  // The other way round than they wait for each other: a sidecar that looks up the name of a platform that is gone cannot
  // exit before the system's resolver has given up.
  for (const service of [...real, ...demo.toReversed()]) stopsInOrder(project, service);

  project.env = { ...project.env, API_ENABLED: 'false' };
  await project.up(real);
  say('healthy with API_ENABLED=false as well');
}

function saySize(image) {
  const bytes = Number(output('docker', ['image', 'inspect', '--format', '{{.Size}}', image]));
  say(`${image} is an image of ${Math.round(bytes / 1e6)} MB`);
}

function fail(text) {
  say(text);
  return 1;
}
