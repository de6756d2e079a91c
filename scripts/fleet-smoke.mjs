// Does with the example of deploy/compose what its page tells: three farms on one machine, with one download and one page
// that lists them all; stops and starts everything at once; gives two farms one account; and measures what a farm costs. Under
// project names of its own, which it removes. Needs a Docker engine, and nothing from npm:
//   node scripts/fleet-smoke.mjs [--stacks N] [--restart-engine COMMAND] [--no-build] [--skip-without-engine]
// --stacks N is how many farms are measured (3), --restart-engine what restarts the engine; without it the containers are.
// --no-build takes the images that `docker compose build` has left.
// With PROMETHEUS_IMAGE, an image that the engine has, Prometheus is asked, too.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say, whyNoEngine } from './docker-smoke/engine.mjs';
import { saysWhoShares } from './fleet-smoke/contended.mjs';
import { costs, grow, more } from './fleet-smoke/costs.mjs';
import { Fleet } from './fleet-smoke/fleet.mjs';
import { monitorsAll } from './fleet-smoke/monitoring.mjs';
import { restartsAtOnce } from './fleet-smoke/restart.mjs';
import { everybodyPlays, listsAll, names, oneDownload, startThree } from './fleet-smoke/three-farms.mjs';

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      stacks: { type: 'string', default: String(names.length) },
      'restart-engine': { type: 'string' },
      'no-build': { type: 'boolean', default: false },
      'skip-without-engine': { type: 'boolean', default: false },
    },
  });
  const stacks = Number(values.stacks);
  if (!Number.isInteger(stacks) || stacks < names.length || stacks > 200)
    return fail(`--stacks is "${values.stacks}"; it is a whole number from ${names.length} to 200`);
  const missing = whyNoEngine();
  if (missing !== undefined && values['skip-without-engine']) {
    say(`skipped: ${missing}`);
    return 0;
  }
  if (missing !== undefined) return fail(missing);

  const directory = mkdtempSync(join(tmpdir(), 'steward-fleet-'));
  const others = more(stacks - names.length);
  const fleet = new Fleet(directory, [...names, 'twins', ...others], { builds: !values['no-build'] });
  try {
    await fleet.start();
    await startThree(fleet);
    await everybodyPlays(fleet);
    await oneDownload(fleet);
    await listsAll(fleet);
    await monitorsAll(fleet);
    await restartsAtOnce(fleet, values['restart-engine']);
    await everybodyPlays(fleet);
    await grow(fleet, others);
    await costs(fleet);
    await saysWhoShares(fleet, 'twins');
    say('all in order');
    return 0;
  } catch (error) {
    for (const farm of fleet.farms.slice(-names.length)) farm.compose('logs', '--no-color', '--tail=30');
    return fail(error.message);
  } finally {
    fleet.remove();
    rmSync(directory, { recursive: true });
  }
}

function fail(text) {
  say(text);
  return 1;
}
