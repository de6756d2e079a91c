import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { steward } from '@steward/client';
import { shipped } from '@steward/tools/bundle/bundle';
import { type Comparison, interleave } from '../comparison.ts';
import { type Load, load } from '../http/load.ts';
import { type ServerProcess, startControlApi, startServer } from '../server-process.ts';

const rounds = 7;
const connections = 50;
const warmUpMs = 1_000;
const measuredMs = 3_000;
/** What the figures have to be beside each server; nothing where one is only told. */
const bars = {
  bare: { throughput: { atLeast: 0.75 }, p99: { atMost: 2.5 } },
  usual: { throughput: { atLeast: 1.5 }, p99: {} },
};
const key = 'a key as long as those that openssl makes..';

const headers = { authorization: `Bearer ${key}` };

/** `GET /status` with key, log and metrics, between the bare server and the usual way to build it. */
export async function status(): Promise<readonly Comparison[]> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-'));
  using api = await shipped('control-api');
  const ours = await startControlApi(api.main, directory, {
    API_KEY: key,
    LOG_LEVEL: 'info',
  });
  const game = await connectGame(join(directory, 'game.sock'), ours.origin);
  const body = await (await fetch(`${ours.origin}/status`, { headers })).text();
  const environment = { BODY: body, API_KEY: key };
  const bare = await startServer(fileURLToPath(import.meta.resolve('./bare-server.ts')), environment);
  const usual = await startServer(fileURLToPath(import.meta.resolve('./usual-server.ts')), environment);
  try {
    const figures = await interleave(rounds, { bare: under(bare), usual: under(usual), ours: under(ours) });
    const compare = (limit: 'bare' | 'usual'): Comparison[] => {
      const of = (value: (measured: Measured) => number) => ({
        ours: figures.ours.map(value),
        limit: figures[limit].map(value),
        beside: limit,
      });
      const figure = `GET /status, ${connections} connections`;
      const { throughput, p99 } = bars[limit];
      return [
        { figure, unit: 'req/s', ...of(({ requestsPerSecond }) => requestsPerSecond), ...throughput },
        {
          figure: `${figure}, processor time a request`,
          unit: 'µs',
          ...of(({ cpuPerRequest }) => cpuPerRequest),
        },
        { figure: `${figure}, p99`, unit: 'ms', ...of(({ p99Ms }) => p99Ms), ...p99 },
      ];
    };
    return [...compare('bare'), ...compare('usual')];
  } finally {
    game.close();
    await Promise.all([ours, bare, usual].map((server) => server.stop()));
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Measured extends Load {
  /** Microseconds. Unlike the throughput it hardly depends on what else the machine does. */
  readonly cpuPerRequest: number;
}

function under({ origin, cpuMs }: ServerProcess): () => Promise<Measured> {
  const request = { path: '/status', headers };
  return async () => {
    await load(origin, request, { connections, ms: warmUpMs });
    const before = cpuMs();
    const measured = await load(origin, request, { connections, ms: measuredMs });
    return { ...measured, cpuPerRequest: ((cpuMs() - before) * 1_000) / measured.answers };
  };
}

/** The smallest game, dialled in and seen in the answers. */
async function connectGame(socket: string, origin: string): Promise<{ close(): void }> {
  const game = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('@steward/testing/game/main')), '--dial', `unix:${socket}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(game, 'spawn');
  const farm = steward({ url: origin, key });
  for (;;) {
    if ((await farm.getStatus()).isOnline) return { close: () => game.kill('SIGTERM') };
  }
}
