import { newSecret } from '@steward/control-api/keys/key-index';
import { keyWriter } from '@steward/control-api/store/tables/keys';
import { operationWriter } from '@steward/control-api/store/tables/operations';
import { keyLimits } from '@steward/shared/api/key-parameters';
import { shipped } from '@steward/tools/bundle/bundle';
import { load } from '../http/load.ts';
import { keptKeysOf, ownersKey } from '../keys/keys.ts';
import type { Growth } from '../page/growth-row.ts';
import { fillDatabase } from '../store/fill-database.ts';
import { doubled } from './doubling.ts';
import { withService } from './grown-service.ts';

const from = 250;
const most = { number: 1 << 20, because: 'nobody has more friends' };
const connections = 50;
const measuredMs = 2_000;

/** Keys that are good, each of which asks in its turn. More than may be made lie in the database when the service starts. */
export async function keys(): Promise<Growth> {
  using api = await shipped('control-api');
  const secrets: string[] = [];
  let startMs = Number.NaN;
  const grown = await doubled({
    from,
    most,
    step: (number) => {
      while (secrets.length < number) secrets.push(newSecret());
      const prepare = (directory: string) =>
        fillDatabase(directory, (database) => {
          const put = keptKeysOf(secrets);
          keyWriter(database, operationWriter(database)).keep({
            kind: 'keys',
            put,
            forget: [],
            operation: undefined,
          });
        });
      const asked = secrets.map((secret) => ({
        path: '/status',
        headers: { authorization: `Bearer ${secret}` },
      }));
      return withService(
        async ({ server }) => {
          const before = server.cpuMs();
          const { answers, medianMs, p99Ms } = await load(server.origin, asked, {
            connections,
            ms: measuredMs,
          });
          startMs = server.startMs;
          const eachUs = ((server.cpuMs() - before) * 1_000) / answers;
          return { number, medianMs, p99Ms, eachUs, memoryMb: server.rssMb() };
        },
        { program: api.main, prepare, environment: { API_KEY: ownersKey } },
      );
    },
  });
  return {
    doubled: 'keys',
    timed: `GET /status, ${connections} connections, each key in its turn`,
    ...grown,
    madeFor: keyLimits.keys,
    breaks: `${grown.end}. The cost of each is that of a request; on the most of them the control API starts in ${startMs.toFixed(0)} ms. One beyond ${keyLimits.keys.toLocaleString('en')} is not made (\`too-many-keys\`).`,
  };
}
