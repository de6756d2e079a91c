import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { until } from '../docker-smoke/until.mjs';
import { podman, say } from './engine.mjs';

// The sidecar logs in, the game is downloaded and started, signs in and opens its lobby; each step tries again within 20 s, and the platform
// gives an account one ticket a minute.
const joinableWithinMs = 180_000;
// A new character takes up to a minute, and its name comes later.
const joinsWithinMs = 120_000;
const farmCommand = ['node', '/farm/dist/farm.js'];

/** Before any login: nobody can join, and the API says why. */
export async function isReachable(pod, { API_KEY }) {
  const { isJoinable, obstacles, instance } = await ask(pod, API_KEY, '/status');
  if (isJoinable !== false || obstacles.length === 0)
    throw new Error('nobody has logged in, and players can join');
  say(
    `before the login, ${JSON.stringify(instance)} says: ${obstacles.map(({ reason }) => reason).join('; ')}`,
  );
}

/** Each container has its own keys and volumes, and is as small as the base says. */
export async function hidesWhatItMust(pod) {
  const secrets = (container) => list(pod, container, '/run/secrets/steward');
  const ofServer = (await secrets('server')).join();
  if (ofServer !== 'API_KEY,PLATFORM_AUTH_SECRET') throw new Error(`the server has ${ofServer}`);
  const ofSidecar = await secrets('platform-auth');
  if (ofSidecar.includes('API_KEY')) throw new Error(`the sidecar has ${ofSidecar.join()}`);
  if ((await list(pod, 'server', '/data')).includes('platform-session'))
    throw new Error('the server has the session');
  for (const container of ['server', 'platform-auth']) {
    const status = await pod.inside(container, 'cat', '/proc/self/status');
    for (const line of [
      'Uid:\t1000\t1000\t1000\t1000',
      'NoNewPrivs:\t1',
      'CapEff:\t0000000000000000',
      'Seccomp:\t2',
    ])
      if (!status.includes(line)) throw new Error(`${container} is not as hardened as ${line}:\n${status}`);
    if (await canWrite(pod, container, '/app')) throw new Error(`${container} can write to its image`);
  }
  if (await canWrite(pod, 'server', '/data/game')) throw new Error('the server can write to the game');
  say(
    `${pod.pod.name}: server and sidecar have ${ofServer} and ${ofSidecar.join()}, user 1000, no privilege, a read-only root`,
  );
}

/** As an operator does it, in the sidecar that runs; the account's password is typed here by the environment. */
export async function logsIn(pod, account) {
  const env = ['--env', `PLATFORM_PASSWORD=${account}`];
  await podman(['exec', ...env, `${pod.pod.name}-platform-auth`, 'node', 'dist/main.js', 'login']);
  say(`${account} has logged in once, by a command`);
}

export async function playerJoins(pod, keys, name) {
  await isJoinable(pod, keys);
  // By the code of the primary platform, which may come after the farm is joinable by the other.
  await until(
    `${pod.pod.name} has that code`,
    joinsWithinMs,
    async () => (await ask(pod, keys.API_KEY, '/status')).steamInviteCode,
  );
  const answer = await pod.inside('server', ...farmCommand, 'join', name);
  await until(`${name} is among the players`, joinsWithinMs, async () =>
    (await ask(pod, keys.API_KEY, '/players')).players.some((player) => player.name === name),
  );
  say(`the farm says: ${answer}`);
}

/** The pod is deleted while somebody plays. Gives what has to be the same when it comes back. */
export async function seesOff(pod, { API_KEY }) {
  const { players } = await ask(pod, API_KEY, '/players');
  const { farmhands } = await ask(pod, API_KEY, '/farmhands');
  await pod.stop();
  say(`${pod.pod.name} is deleted, with ${players.length} on it`);
  return { farmhands: names(farmhands) };
}

/** Nobody logs in, downloads or founds anything again. */
export async function comesBackAsItWas(pod, keys, before) {
  await isJoinable(pod, keys);
  const { events } = await ask(pod, keys.API_KEY, '/events?topics=server');
  const drained = events.find(({ type }) => type === 'server.drained');
  if (drained?.data.isSaved !== true) throw new Error(`the farm was not saved: ${JSON.stringify(drained)}`);
  const { farmhands } = await ask(pod, keys.API_KEY, '/farmhands');
  if (!isDeepStrictEqual(names(farmhands), before.farmhands))
    throw new Error(`there were ${before.farmhands}, there are ${names(farmhands)}`);
  say(
    `${pod.pod.name} is back: it had saved (${drained.at}), and has the farmhands ${before.farmhands.join(', ')}`,
  );
}

/** By the commands that the documentation has: one on the farm's volume, and one that was copied away, where the volume is a new one. */
export async function goesBackToABackup(pod, keys, directory) {
  const server = (...command) => pod.inside('server', 'node', 'dist/main.js', ...command);
  const before = names((await ask(pod, keys.API_KEY, '/farmhands')).farmhands);
  const id = await server('backup', 'create', '--note', 'before the new mods');
  const there = `/data/backups/${id}.steward.tar.zst`;
  const here = join(directory, 'copy');
  await pod.piped('server', `cat ${there}`, `> ${here}`);
  await server('backup', 'restore', '--id', id);
  await isJoinable(pod, keys);
  say(`${pod.pod.name} was backed up as ${id}, and restored from it`);

  await server('drain', '--when', 'now', '--seconds', '1');
  await until('the game is away', joinableWithinMs, async () => {
    return (await ask(pod, keys.API_KEY, '/drain')).draining?.phase === 'stopped';
  });
  await pod.inside('server', 'sh', '-c', `rm -rf /data/saves/* ${there}`);
  await pod.piped('server', `sh -c 'cat > ${there}'`, `< ${here}`);
  await server('backup', 'restore', '--id', id);
  await server('drain', 'cancel');
  await isJoinable(pod, keys);
  const back = names((await ask(pod, keys.API_KEY, '/farmhands')).farmhands);
  if (!isDeepStrictEqual(back, before)) throw new Error(`there were ${before}, there are ${back}`);
  say(`${pod.pod.name} has ${back.join(', ')} again, from the copy of its backup`);
}

async function isJoinable(pod, { API_KEY }) {
  const begun = performance.now();
  const { inviteCode } = await until(`players can join ${pod.pod.name}`, joinableWithinMs, async () => {
    const status = await ask(pod, API_KEY, '/status');
    return status.isJoinable && ask(pod, API_KEY, '/invite-code');
  });
  const took = ((performance.now() - begun) / 1_000).toFixed(1);
  say(`players join ${pod.pod.name} by ${inviteCode}, after ${took} s`);
}

async function ask(pod, key, path) {
  const answer = await fetch(`${pod.api}${path}`, { headers: { authorization: `Bearer ${key}` } });
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function names(farmhands) {
  return farmhands
    .map(({ name }) => name)
    .filter((name) => name !== '')
    .sort();
}

async function list(pod, container, directory) {
  const script = `console.log(fs.readdirSync(${JSON.stringify(directory)}).filter((name) => !name.startsWith('.')).sort().join(' '))`;
  return (await pod.inside(container, 'node', '-e', script)).split(' ');
}

async function canWrite(pod, container, directory) {
  const script = `try { fs.writeFileSync(${JSON.stringify(`${directory}/mine`)}, ''); console.log(true) } catch { console.log(false) }`;
  return (await pod.inside(container, 'node', '-e', script)) === 'true';
}
