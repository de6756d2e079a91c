// Builds both images, brings docker-compose.yml up under a project name of its own, waits until both services are
// healthy, asks them something, and takes everything down again. Needs a Docker engine and nothing from npm:
//   node scripts/docker-smoke.mjs [--skip-without-engine]

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './prepare/root.mjs';

const skipOption = '--skip-without-engine';
// The first health check comes after ten seconds, and the server waits for the sidecar's.
const healthyWithinMs = 120_000;
const lookAgainMs = 500;
// Docker would kill a container that is still there after ten.
const stopsWithinMs = 5_000;

const services = ['platform-auth', 'server'];
const project = `steward-smoke-${process.pid}`;
const asksSidecar = `fetch('http://platform-auth:3001/health').then((answer) => process.exit(answer.ok ? 0 : 1))`;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const unknown = args.find((arg) => arg !== skipOption);
  if (unknown !== undefined) return fail(`there is no option "${unknown}"; the only one is ${skipOption}`);
  const missing = whyNoEngine();
  if (missing !== undefined && args.includes(skipOption)) return say(`skipped: ${missing}`);
  if (missing !== undefined)
    return fail(`${missing}\nStart an engine or name one in DOCKER_HOST; ${skipOption} makes do without.`);

  const settings = { API_PORT: String(await freePort()) };
  const compose = composeWith(settings);
  try {
    compose('build');
    await bringUp(compose);
    for (const service of services) saySize(service);
    await answers(`http://127.0.0.1:${settings.API_PORT}/health`);
    compose('exec', '-T', 'server', 'node', '-e', asksSidecar);
    say('the server reaches the sidecar');
    for (const service of services) stop(service, compose);

    await bringUp(composeWith({ ...settings, API_ENABLED: 'false' }));
    return say('healthy with API_ENABLED=false as well; all in order');
  } catch (error) {
    compose('logs', '--no-color', '--tail=50');
    return fail(error.message);
  } finally {
    compose('down', '--volumes', '--rmi', 'local');
  }
}

function whyNoEngine() {
  const { status, stderr, error } = spawnSync('docker', ['info'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  return `no Docker engine answers: ${error?.message ?? stderr.trim()}`;
}

/** Compose as the machine has it, version 2 or 1.29, with these variables set. Its output is the caller's to see. */
function composeWith(settings) {
  const second = spawnSync('docker', ['compose', 'version']).status === 0;
  const command = second ? ['docker', 'compose'] : ['docker-compose'];
  return (...args) => run([...command, '-p', project, ...args], { ...process.env, ...settings });
}

function run([program, ...args], env = process.env) {
  const line = [program, ...args].join(' ');
  console.error(`$ ${line}`);
  const { status, error } = spawnSync(program, args, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${line} failed: ${error?.message ?? `exit code ${status}`}`);
}

async function bringUp(compose) {
  const deadline = performance.now() + healthyWithinMs;
  compose('up', '-d');
  for (const service of services) {
    while (inspect(service, '{{.State.Health.Status}}') !== 'healthy') {
      if (inspect(service, '{{.State.Status}}') !== 'running') throw new Error(`${service} does not stay up`);
      if (performance.now() > deadline)
        throw new Error(`${service} is not healthy after ${healthyWithinMs / 1000} s`);
      await pause(lookAgainMs);
    }
    say(`${service} is healthy`);
  }
}

function container(service) {
  const labels = { 'com.docker.compose.project': project, 'com.docker.compose.service': service };
  const filters = Object.entries(labels).flatMap(([name, value]) => ['--filter', `label=${name}=${value}`]);
  return output('docker', ['ps', '--all', '--quiet', ...filters]);
}

function inspect(service, format) {
  return output('docker', ['inspect', '--format', format, container(service)]);
}

function output(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr.trim()}`);
  return stdout.trim();
}

function saySize(service) {
  const bytes = Number(
    output('docker', ['image', 'inspect', '--format', '{{.Size}}', inspect(service, '{{.Image}}')]),
  );
  say(`${service}: an image of ${Math.round(bytes / 1e6)} MB`);
}

async function answers(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  say(`${url} answers ${answer.status} ${await answer.text()}`);
}

/** A service that takes SIGTERM for an answer leaves in order and soon. */
function stop(service, compose) {
  const begun = performance.now();
  compose('stop', service);
  const took = performance.now() - begun;
  const code = inspect(service, '{{.State.ExitCode}}');
  say(`${service} stopped in ${(took / 1000).toFixed(1)} s with exit code ${code}`);
  if (code !== '0' || took > stopsWithinMs) throw new Error(`${service} does not stop as it should`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function say(text) {
  console.error(`docker-smoke: ${text}`);
  return 0;
}

function fail(text) {
  console.error(`docker-smoke: ${text}`);
  return 1;
}
