import { statSync } from 'node:fs';
import { join } from 'node:path';
import { variables } from '@steward/control-api/configuration';
import { databaseName } from '@steward/control-api/store/store';
import { quantile } from '@steward/testing/quantile';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { shipped } from '@steward/tools/bundle/bundle';
import type { Growth } from '../page/growth-row.ts';
import { startControlApi } from '../server-process.ts';
import { fill, mostEvents, pageMs, pages, withHistory } from '../store/history.ts';
import { doubled } from './doubling.ts';

const from = 62_500;
const most = { number: mostEvents, because: '`EVENTS_KEEP_COUNT` can be no more' };
const pagesEach = 100;

/** Events that are kept, and pages of them. */
export async function events(): Promise<Growth> {
  using directory = temporaryDirectory();
  using api = await shipped('control-api');
  const random = seededRandom(1);
  let kept = 0;
  let startMs = Number.NaN;
  let bytesOfEach = Number.NaN;
  const grown = await doubled({
    from,
    most,
    step: async (number) => {
      const began = performance.now();
      await withHistory(directory.path, (history) => fill(history, number - kept));
      const eachUs = ((performance.now() - began) * 1_000) / (number - kept);
      kept = number;
      bytesOfEach = statSync(join(directory.path, databaseName)).size / number;
      const took = await withHistory(directory.path, async (history) => {
        const times: number[] = [];
        for (let page = 0; page < pagesEach; page += 1) {
          for (const queryAt of Object.values(pages))
            times.push(
              await pageMs(history, queryAt({ epoch: history.epoch, number: Math.ceil(random() * number) })),
            );
        }
        return times;
      });
      const server = await startControlApi(api.main, directory.path, {
        EVENTS_KEEP_COUNT: String(mostEvents),
      });
      startMs = server.startMs;
      const memoryMb = server.rssMb();
      await server.stop();
      return {
        number,
        medianMs: quantile(took, 0.5),
        p99Ms: quantile(took, 0.99),
        eachUs,
        memoryMb,
      };
    },
  });
  return {
    doubled: 'events',
    timed: 'a page of 100 of the events that are kept: the newest, the oldest, of one topic',
    ...grown,
    madeFor: variables.EVENTS_KEEP_COUNT.fallback,
    breaks: `${grown.end}. The cost of each event is the time until it is kept; it takes ${bytesOfEach.toFixed(0)} bytes on the disk. On the most of them the control API starts in ${startMs.toFixed(0)} ms.`,
  };
}
