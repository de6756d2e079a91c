import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { steward } from '@steward/client';
import { median } from '@steward/testing/quantile';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { clientBytes, clientPackage, mostClientBytes } from '@steward/tools/bundle/client-package';
import { type Comparison, interleave } from '../comparison.ts';
import { startServer } from '../server-process.ts';

const rounds = 21;
const turns = 20;
const turnCalls = 50;
const warmUpTurns = 20;
const mostTimes = 1.75;

const manifest = new URL('../../../packages/client/package.json', import.meta.url);
const bareServer = fileURLToPath(new URL('../status/bare-server.ts', import.meta.url));

/** As long as that of a farm with some players. */
const answer = {
  farmName: 'Sunnybrook',
  players: Array.from({ length: 8 }, (_, index) => ({
    id: index,
    idStr: `62082608770242909${index}`,
    name: `player ${index}`,
  })),
};

/** What the client costs who installs it: its size, what it brings along, and its time beside a bare `fetch`. */
export async function client(): Promise<readonly Comparison[]> {
  return [await size(), packages(), await calling()];
}

async function size(): Promise<Comparison> {
  using directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'dist'));
  await clientPackage(directory.path);
  return {
    figure: '@steward/client, minified and gzipped',
    unit: 'bytes',
    ours: [await clientBytes(directory.path)],
    bar: mostClientBytes,
  };
}

function packages(): Comparison {
  const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  const brought = { ...dependencies, ...peerDependencies, ...optionalDependencies };
  return {
    figure: 'packages that @steward/client brings along',
    unit: 'packages',
    ours: [Object.keys(brought).length],
    bar: 0,
  };
}

/** One call after the other; what else the machine does falls on both, as they take turns within milliseconds. */
async function calling(): Promise<Comparison> {
  const server = await startServer(bareServer, { BODY: JSON.stringify(answer) });
  const farm = steward({ url: server.origin, key: 'k3y' });
  const headers = { authorization: 'Bearer k3y' };
  const subjects = {
    client: () => farm.listPlayers(),
    fetch: async () => (await fetch(`${server.origin}/players`, { headers })).json(),
  };
  try {
    const turn = async (call: () => Promise<unknown>) => {
      const began = performance.now();
      for (let done = 0; done < turnCalls; done += 1) await call();
      return (1_000 * (performance.now() - began)) / turnCalls;
    };
    const taken = (times: number) =>
      interleave(times, { client: () => turn(subjects.client), fetch: () => turn(subjects.fetch) });
    await taken(warmUpTurns);
    const measured = await interleave(rounds, { both: () => taken(turns) });
    return {
      figure: 'a call, one after the other',
      unit: 'µs',
      ours: measured.both.map(({ client: each }) => median(each)),
      limit: measured.both.map(({ fetch: each }) => median(each)),
      beside: 'bare fetch',
      atMost: mostTimes,
    };
  } finally {
    await server.stop();
  }
}
