import { count, seed } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { nextFault, type Stage } from './world/chaos-faults.ts';
import { Emulated } from './world/emulated.ts';
import { HealthWatch } from './world/health-watch.ts';
import { seededRandom } from './world/seeded-random.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

const faults = count({ small: 20, long: 1_000 });
const speed = '10000';
/** What the service promises; stated here, and held as far as a shared machine allows. */
const promisedMs = 50;
/** Far above what an idle machine shows, since tests share theirs; a loop that stalls shows as seconds. */
const healthLimitMs = 500;

it(
  `is back after each of ${faults} random faults, and /health answers throughout`,
  async () => {
    const random = seededRandom(seed);
    await using world = await Emulated.start();
    await world.saveSession('ann');
    const environment = { SESSION_DIR: world.directory, CLOCK_SPEED: speed };
    await using watch = new HealthWatch();
    const start = () => SidecarProcess.start(world.platform, environment);
    const stage: Stage = {
      world,
      sidecar: await start(),
      async restart(signal) {
        watch.at(undefined);
        stage.sidecar.program.kill(signal);
        await stage.sidecar.program.exited;
        stage.sidecar = await start();
        watch.at(stage.sidecar.origin);
      },
    };
    watch.at(stage.sidecar.origin);
    await stage.sidecar.healthWhere(({ logged_in }) => logged_in);

    const struck = new Map<string, number>();
    for (let index = 0; index < faults; index += 1) {
      const logons = world.platform.record.count({ path: 'ClientLogon' });
      const fault = nextFault(index, random);
      struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1);
      const pid = stage.sidecar.program.pid;
      await fault.strike(stage, random);
      await world.platform.record.seen({ path: 'ClientLogon' }, logons + 1);
      await stage.sidecar.healthWhere(({ logged_in }) => logged_in && world.platform.online.length > 0);
      if (!['restart', 'kill'].includes(fault.name)) expect(stage.sidecar.program.pid).toBe(pid);
    }

    watch.at(undefined);
    const percentile = (share: number) => Math.round(watch.percentile(share) * 10) / 10;
    process.stdout.write(
      `chaos: ${faults} faults (${[...struck].map(([name, times]) => `${times} ${name}`).join(', ')}); ` +
        `${watch.latenciesMs.length} × /health: ${watch.shareWithin(promisedMs)} % within ${promisedMs} ms, median ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, max ${percentile(1)} ms\n`,
    );
    expect(watch.latenciesMs.length).toBeGreaterThan(faults);
    expect(watch.percentile(0.99)).toBeLessThan(healthLimitMs);
    await stage.sidecar[Symbol.asyncDispose]();
  },
  count({ small: 120_000, long: 3_600_000 }),
);
