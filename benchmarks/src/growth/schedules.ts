import { owner } from '@steward/control-api/keys/caller';
import { made } from '@steward/control-api/schedules/schedule-changes';
import { operationWriter } from '@steward/control-api/store/tables/operations';
import { scheduleWriter } from '@steward/control-api/store/tables/schedules';
import { scheduleLimits } from '@steward/shared/api/schedule-parameters';
import { quantile } from '@steward/testing/quantile';
import { shipped } from '@steward/tools/bundle/bundle';
import type { Growth } from '../page/growth-row.ts';
import { fillDatabase } from '../store/fill-database.ts';
import { doubled } from './doubling.ts';
import { type GrownService, withService } from './grown-service.ts';

const from = 8;
const rounds = 5;
const most = { number: 1 << 16, because: 'there is no more to do on a farm' };

/** Of one address so many writes a minute are taken: each schedule is run from one of its own. */
const trustedProxies = '127.0.0.1';

/**
 * Schedules that all run at once, each a command to the game with its claim on the disk. They are asked for: those that are due by the
 * clock come once a minute. More than may be made lie in the database when the service starts.
 */
export async function schedules(): Promise<Growth> {
  using api = await shipped('control-api');
  const grown = await doubled({
    from,
    most,
    step: (number) => {
      const ids: string[] = [];
      return withService(
        async (service) => {
          const { server } = service;
          const before = server.cpuMs();
          const took: number[] = [];
          for (let round = 0; round < rounds; round += 1)
            took.push(...(await Promise.all(ids.map((id, index) => run(service, id, index)))));
          const eachUs = ((server.cpuMs() - before) * 1_000) / took.length;
          const [medianMs, p99Ms] = [quantile(took, 0.5), quantile(took, 0.99)];
          return { number, medianMs, p99Ms, eachUs, memoryMb: server.rssMb() };
        },
        {
          program: api.main,
          environment: { TRUSTED_PROXIES: trustedProxies },
          prepare: (directory) => {
            ids.push(...fill(directory, number));
          },
        },
      );
    },
  });
  return {
    doubled: 'schedules',
    timed: 'a run of every schedule at once, until the game has done it',
    ...grown,
    madeFor: scheduleLimits.schedules,
    breaks: `${grown.end}. One beyond ${scheduleLimits.schedules} is not made (\`too-many-schedules\`).`,
  };
}

/** Returns their ids. */
function fill(directory: string, number: number): readonly string[] {
  const now = Date.now();
  const asked = { action: 'rendering', fps: 10, cron: '0 5 * * *' } as const;
  const all = Array.from({ length: number }, (_, index) =>
    made([], { ...asked, name: `schedule ${index}` }, owner, now),
  );
  fillDatabase(directory, (database) => {
    const writer = scheduleWriter(database, operationWriter(database));
    for (const schedule of all) writer.put(schedule);
  });
  return all.map(({ id }) => id);
}

interface Answer {
  readonly run?: { readonly outcome?: string; readonly reason?: string };
  readonly detail?: string;
}

/** How long it took. */
async function run({ server, game }: GrownService, id: string, index: number): Promise<number> {
  const began = performance.now();
  const answer = await game.orLost(
    fetch(`${server.origin}/schedules/run?id=${id}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` },
    }),
  );
  const { run: ran, detail } = (await answer.json()) as Answer;
  if (ran?.outcome !== 'applied') throw new Error(ran?.reason ?? detail ?? `it is answered ${answer.status}`);
  return performance.now() - began;
}
