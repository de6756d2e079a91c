import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shipped } from '@steward/tools/bundle/bundle';
import autocannon from 'autocannon';
import { type Comparison, interleave } from '../comparison.ts';
import { type ServerProcess, startControlApi, startServer } from '../server-process.ts';

const rounds = 5;
const connections = 50;
const seconds = 3;

interface Measured {
  readonly startMs: number;
  readonly idleMb: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

/** `GET /health` and the start of the process, against a bare server. */
export async function health(): Promise<readonly Comparison[]> {
  using api = await shipped('control-api');
  const { ours, limit } = await interleave(rounds, {
    limit: async () => measure(await startServer(fileURLToPath(import.meta.resolve('./bare-server.ts')))),
    ours: async () => {
      const directory = mkdtempSync(join(tmpdir(), 'steward-bench-'));
      const measured = await measure(await startControlApi(api.main, directory, { LOG_LEVEL: 'info' }));
      rmSync(directory, { recursive: true, force: true });
      return measured;
    },
  });
  const compare = (figure: string, unit: string, value: (measured: Measured) => number): Comparison => ({
    figure,
    unit,
    ours: ours.map(value),
    limit: limit.map(value),
    beside: 'bare',
  });
  return [
    compare('control-api: start to listening', 'ms', ({ startMs }) => startMs),
    compare('control-api: memory after the start', 'MB', ({ idleMb }) => idleMb),
    compare(`GET /health, ${connections} connections`, 'req/s', ({ requestsPerSecond }) => requestsPerSecond),
    compare(`GET /health, ${connections} connections, p99`, 'ms', ({ p99Ms }) => p99Ms),
  ];
}

async function measure(server: ServerProcess): Promise<Measured> {
  const idleMb = server.rssMb();
  const url = `${server.origin}/health`;
  await autocannon({ url, connections, duration: 1 });
  const { requests, latency, non2xx } = await autocannon({ url, connections, duration: seconds });
  await server.stop();
  if (non2xx > 0) throw new Error(`${non2xx} answers of ${url} were no success`);
  return { startMs: server.startMs, idleMb, requestsPerSecond: requests.average, p99Ms: latency.p99 };
}
