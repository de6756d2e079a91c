import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '@steward/tools/bundle/bundle';
import { type Comparison, interleave } from '../comparison.ts';
import { Bare, bareBar, startBare } from './bare.ts';
import { freePort, type Started, startApiOnce, startOnce } from './started.ts';

const rounds = 11;
/** Of what differs by little. */
const pageRounds = 21;

/** What the control API may take, on the machine that the bars were made on. */
const startBarMs = 200;
const idleBarMb = 100;

/** What the page's listener may add to the control API. */
const pageStartBarMs = 5;
const pageIdleBarMb = 2;

/**
 * The start of what the images ship, until it accepts a connection, and its memory when nothing goes on. A new
 * container has nothing that V8 has compiled before; one that was stopped and started by hand may have.
 */
export async function start(): Promise<readonly Comparison[]> {
  const compiled = mkdtempSync(join(tmpdir(), 'steward-bench-compiled-'));
  using api = await shipped('control-api');
  using sidecar = await shipped('platform-auth');
  // Once, so that what is compiled lies there.
  await startApiOnce(api.main, {}, compiled);
  const { bare, ...ours } = await interleave(rounds, {
    bare: startBare,
    'control-api': () => startApiOnce(api.main),
    'control-api, started before': () => startApiOnce(api.main, {}, compiled),
    'platform-auth': () => startOnce(sidecar.main, sidecarEnvironment),
  });
  rmSync(compiled, { recursive: true, force: true });
  return Object.entries(ours).flatMap(([name, started]) => {
    const compare = (
      figure: string,
      unit: string,
      by: 'startMs' | 'startCpuMs' | 'idleMb',
      bar: number,
    ): Comparison => ({
      figure: `${name}: ${figure}`,
      unit,
      ours: started.map((one) => one[by]),
      limit: bare.map((one) => one[by]),
      beside: 'bare',
      ...(name.startsWith('control-api') ? bareBar(bar, unit, by) : {}),
    });
    return [
      compare('start to listening', 'ms', 'startMs', startBarMs),
      compare('processor time of the start', 'ms', 'startCpuMs', startBarMs),
      compare('memory when idle', 'MB', 'idleMb', idleBarMb),
    ];
  });
}

/** What it costs the control API to listen for the page, too, at its start and when nothing goes on. */
export async function pageListener(): Promise<readonly Comparison[]> {
  using api = await shipped('control-api');
  const bare = await Bare.measured();
  const DASHBOARD_PORT = String(await freePort());
  const without = () => startApiOnce(api.main);
  const beside = () => startApiOnce(api.main, { DASHBOARD_PORT });
  const started = await interleave(pageRounds, { without, beside });
  const added = (figure: string, unit: string, value: (one: Started) => number) => ({
    figure: `the listener for the page adds: ${figure}`,
    unit,
    ours: started.beside.map((one, round) => value(one) - value(started.without[round] ?? one)),
  });
  const start = added('processor time of the start', 'ms', ({ settledCpuMs }) => settledCpuMs);
  return [
    bare.beside(start, 'startCpuMs', pageStartBarMs),
    { ...added('memory when idle', 'MB', ({ idleMb }) => idleMb), bar: pageIdleBarMb },
  ];
}

function sidecarEnvironment(port: string, directory: string): NodeJS.ProcessEnv {
  return { HOST: '127.0.0.1', PORT: port, SESSION_DIR: join(directory, 'session'), LOG_LEVEL: 'error' };
}
