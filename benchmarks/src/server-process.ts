import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeOptionsOf } from '@steward/tools/bundle/services';
import { residentMb } from './memory.ts';

/** A server in a process of its own, and how long it took until it said where it listens. */
export interface ServerProcess {
  readonly origin: string;
  readonly startMs: number;
  /** Resident memory now, in MB. */
  rssMb(): number;
  /** Processor time that it has used so far, in ms. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** How often the log is looked into for the line that says where the server listens. */
const lookMs = 1;

/** In which Linux counts processor time. */
const msPerTick = 10;

/**
 * Starts a program that writes a line with its origin once it listens. What it writes goes to a file: reading a log
 * line for every request would slow down the client in this process.
 */
export async function startServer(
  file: string,
  env: NodeJS.ProcessEnv = {},
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-log-'));
  const output = join(directory, 'log');
  const log = openSync(output, 'w');
  const started = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, file], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const origin = await listeningOrigin(output, () => child.exitCode !== null);
  return {
    origin,
    startMs: performance.now() - started,
    rssMb: () => residentMb(child.pid),
    cpuMs: () => processorMs(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Processor time that a process has used so far, in ms. */
export function processorMs(pid: number | undefined): number {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  return (user + system) * msPerTick;
}

async function listeningOrigin(log: string, ended: () => boolean): Promise<string> {
  while (!ended()) {
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(log, 'utf8')) ?? [];
    if (origin !== undefined) return origin;
    await pause(lookMs);
  }
  throw new Error('the server ended before it listened');
}

/** Starts the control API as its image does, on loopback, with what it keeps in a directory of its own. */
export function startControlApi(
  main: string,
  directory: string,
  more: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  return startServer(main, { ...controlApiEnvironment(directory), ...more }, nodeOptionsOf('control-api'));
}

/** What the control API is told beside Node's options. */
export function controlApiEnvironment(directory: string, port = '0'): NodeJS.ProcessEnv {
  return {
    API_HOST: '127.0.0.1',
    API_PORT: port,
    STATE_DIR: directory,
    SETTINGS_PATH: join(directory, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
    LOG_FORMAT: 'json',
  };
}
