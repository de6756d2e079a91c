import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { joinable } from '../docker-smoke/demo.mjs';
import { run, say } from '../docker-smoke/engine.mjs';
import { until } from '../docker-smoke/until.mjs';
import { joinableWithinMs } from './three-farms.mjs';

const goneWithinMs = 30_000;

/** Everything stops and starts at once, in no order, as when the engine or the machine does. */
export async function restartsAtOnce(fleet, command) {
  if (command === undefined) {
    const containers = fleet.containers();
    await atOnce('stop', containers);
    await atOnce('start', containers);
  } else {
    const starts = fleet.farms.map((farm) => [farm, startOf(farm)]);
    run(['sh', '-c', command]);
    for (const [farm, before] of starts)
      await until(`${farm.name} was started again`, goneWithinMs, () => startOf(farm) !== before);
  }
  const begun = performance.now();
  for (const farm of fleet.farms) await joinable(farm.api, joinableWithinMs);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  say(
    `${seconds} s after ${command ?? 'all containers stopped and started at once'} players can join all of them`,
  );
}

function startOf(farm) {
  return farm.inspect('server', '{{.State.StartedAt}}');
}

async function atOnce(what, containers) {
  console.error(`$ docker ${what} ${containers.join(' ')}`);
  const codes = await Promise.all(
    containers.map(async (id) => {
      const child = spawn('docker', [what, id], { stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = await once(child, 'exit');
      return code;
    }),
  );
  if (codes.some((code) => code !== 0)) throw new Error(`docker ${what} failed`);
}
