import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../docker-smoke/engine.mjs';
import { freePort } from '../docker-smoke/free-port.mjs';
import { Project } from '../docker-smoke/project.mjs';
import { json, until } from '../docker-smoke/until.mjs';

const askedWithinMs = 60_000;

/** One Prometheus over all farms, which tells them apart. It is in each farm's own network, so that no farm is in another's. */
export async function monitorsAll(fleet) {
  const image = process.env.PROMETHEUS_IMAGE;
  if (image === undefined || spawnSync('docker', ['image', 'inspect', image]).status !== 0) {
    say('Prometheus is left out: PROMETHEUS_IMAGE names no image that is here');
    return;
  }
  const names = fleet.farms.map(({ name }) => name);
  const port = await freePort();
  const monitoring = new Project({ PROMETHEUS_PORT: port });
  monitoring.name = fleet.projectOf('monitoring');
  monitoring.overrides = ['deploy/compose/monitoring.yml', overridden(fleet.directory, names)];
  try {
    monitoring.compose('up', '-d', 'prometheus');
    await until('Prometheus asks both services of all farms', askedWithinMs, async () => {
      const up = (await json(`http://127.0.0.1:${port}/api/v1/query?query=up`))?.data.result ?? [];
      const found = up
        .filter(({ value: [, is] }) => is === '1')
        .map(({ metric: { job, farm } }) => `${job} of ${farm}`);
      return names.every((farm) =>
        ['server', 'platform-auth'].every((job) => found.includes(`${job} of ${farm}`)),
      );
    });
    say(`one Prometheus asks both services of all ${names.length} farms`);
  } finally {
    monitoring.empty();
  }
}

/** As the operator's files monitoring.yml and prometheus/farms.yml. */
function overridden(directory, names) {
  const targets = join(directory, 'prometheus');
  mkdirSync(targets, { mode: 0o755 });
  writeFileSync(join(targets, 'farms.yml'), JSON.stringify([{ targets: names }]));
  const file = join(directory, 'monitoring.yml');
  const networks = Object.fromEntries(
    names.map((name) => [name, { external: true, name: `${name}_metrics` }]),
  );
  const prometheus = { volumes: [`${targets}:/etc/farms:ro`], networks: names };
  writeFileSync(file, JSON.stringify({ services: { prometheus }, networks }));
  return file;
}
