// Runs what deploy/kubernetes describes, without a cluster: kustomize renders a farm over its base, and Podman runs the pod, in a
// kubelet's order as far as that can be done from here, with an emulated platform and a simulated game. One farm logs in by a command
// and downloads for itself; the other begins with a token and reads the files that the Job has downloaded. Both take players, see them
// off when their pods are deleted, and are as they were when these come back. Needs root, Podman 4.3 or newer, the packages that `npm test`
// installs, and in Podman the images that docker-compose.yml builds, under the names that it gives them:
//   node scripts/kubernetes-smoke.mjs [--skip-without-engine]

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './docker-smoke/until.mjs';
import { podman, say, tried, whyNoEngine } from './kubernetes-smoke/engine.mjs';
import { Farms } from './kubernetes-smoke/farms.mjs';
import { Mounts } from './kubernetes-smoke/mounts.mjs';
import { clients, platformPod } from './kubernetes-smoke/platform.mjs';
import { PlayedPod } from './kubernetes-smoke/play.mjs';
import {
  comesBackAsItWas,
  goesBackToABackup,
  hidesWhatItMust,
  isReachable,
  logsIn,
  playerJoins,
  seesOff,
} from './kubernetes-smoke/steps.mjs';

const skipOption = '--skip-without-engine';
const images = ['steward-server', 'steward-platform-auth', 'steward-demo-farm', 'steward-demo-platform'];
const downloadsWithinMs = 120_000;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const unknown = args.find((arg) => arg !== skipOption);
  if (unknown !== undefined) return fail(`there is no option "${unknown}"; the only one is ${skipOption}`);
  const missing = whyNoEngine(images);
  if (missing !== undefined && args.includes(skipOption)) {
    say(`skipped: ${missing}`);
    return 0;
  }
  if (missing !== undefined) return fail(`${missing}\n${skipOption} makes do without.`);

  const namespace = `steward-smoke-${process.pid}`;
  const directory = mkdtempSync(join(tmpdir(), 'steward-kubernetes-'));
  const played = [];
  const play = (pod) => {
    played.push(new PlayedPod(pod));
    return played.at(-1);
  };
  const spawning = `${namespace}-server`;
  try {
    await withGame(spawning, directory);
    await everything({ namespace, directory, play, spawning });
    say('all in order');
    return 0;
  } catch (error) {
    for (const pod of played) await pod.tellAll();
    return fail(`${error.stack}${error.cause === undefined ? '' : `\nbecause of ${error.cause.stack}`}`);
  } finally {
    for (const pod of played) await pod.remove();
    await tried(['rmi', '--force', spawning]);
    rmSync(directory, { recursive: true });
  }
}

async function everything({ namespace, directory, play, spawning }) {
  const mounts = new Mounts(directory);
  const platform = play(platformPod(namespace, ['hill', 'river'], mounts));
  await platform.start();
  // Whom to trust, which the sidecar reads once, when it starts.
  await until('the emulated platform is up', 30_000, async () =>
    (await platform.log('platform')).includes('8443'),
  );

  const farms = new Farms(directory, {
    namespace,
    platform: `http://${platform.pod.name}:8443`,
    clients,
    mounts,
    images: [{ name: 'steward-server', newName: spawning, newTag: 'latest' }],
  });
  const keys = () => ({ API_KEY: key(), PLATFORM_AUTH_SECRET: key() });

  const hillKeys = keys();
  const hill = play(farms.farm('hill', hillKeys, { platformAuth: ['PLATFORM_USERNAME=hill'] }));
  await hill.start();
  await isReachable(hill, hillKeys);
  await hidesWhatItMust(hill);
  await logsIn(hill, 'hill');
  await playerJoins(hill, hillKeys, 'Robin');

  // A session of its own for each that has a token: renewed, it would be worthless to the other.
  const files = play(
    farms.gameFiles({ PLATFORM_USERNAME: 'river', PLATFORM_REFRESH_TOKEN: await tokenOf('river', farms) }),
  );
  await files.start();
  await files.ended(downloadsWithinMs);
  say('the Job has downloaded the game for all farms');
  await files.remove();

  const riverKeys = { ...keys(), PLATFORM_REFRESH_TOKEN: await tokenOf('river', farms) };
  const river = play(
    farms.farm('river', riverKeys, {
      components: ['shared-game-files'],
      platformAuth: [
        'PLATFORM_USERNAME=river',
        'PLATFORM_REFRESH_TOKEN_FILE=/run/secrets/steward/PLATFORM_REFRESH_TOKEN',
      ],
    }),
  );
  await river.start();
  await hidesWhatItMust(river);
  await playerJoins(river, riverKeys, 'Sam');

  const before = await seesOff(hill, hillKeys);
  await hill.start();
  await comesBackAsItWas(hill, hillKeys, before);
  await goesBackToABackup(hill, hillKeys, directory);
  await seesOff(hill, hillKeys);
  await seesOff(river, riverKeys);
}

/** The server's image with a game in it, as docs/game-in-docker.md tells people to make one. */
async function withGame(image, directory) {
  const file = join(directory, 'Dockerfile');
  writeFileSync(file, 'FROM localhost/steward-server\nCOPY --from=localhost/steward-demo-farm /app /farm\n');
  await podman(['build', '--pull-never', '--quiet', '--tag', image, '--file', file, directory]);
}

/** In a pod of its own, as the documentation tells, but with the password by the environment. */
async function tokenOf(account, farms) {
  const { platform, mounts } = farms;
  const env = { PLATFORM_USERNAME: account, PLATFORM_PASSWORD: account, SESSION_DIR: '/tmp/session' };
  const emulated = { PLATFORM_PROXY: platform, NODE_EXTRA_CA_CERTS: '/data/clients/ca.pem' };
  const variables = Object.entries({ ...env, ...emulated }).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  const options = [
    '--rm',
    '--network',
    'podman-default-kube-network',
    '--volume',
    `${mounts.claim(clients)}:/data/clients:ro`,
  ];
  const command = ['sh', '-c', 'node dist/main.js login && node dist/main.js export-token'];
  return podman(['run', ...options, ...variables, '--entrypoint', '', 'steward-platform-auth', ...command]);
}

function key() {
  return randomBytes(32).toString('base64');
}

function fail(text) {
  say(text);
  return 1;
}
