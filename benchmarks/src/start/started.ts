import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeOptionsOf } from '@steward/tools/bundle/services';
import { residentMb } from '../memory.ts';
import { controlApiEnvironment } from '../server-process.ts';

/** Between two tries to connect. */
const tryAgainMs = 1;

/** After which nothing that belongs to the start is still going on; the control API collects what it leaves after two seconds. */
const settledMs = 3_000;

export interface Started {
  readonly startMs: number;
  /** The main thread's processor time until it listened: what the start takes when nothing else runs. */
  readonly startCpuMs: number;
  /** The same once nothing that belongs to the start goes on any more, whatever it listened on first. */
  readonly settledCpuMs: number;
  readonly idleMb: number;
}

interface StartOptions {
  readonly nodeOptions?: readonly string[];
  /** Where V8 keeps what it has compiled; without it there is nothing kept yet. */
  readonly temporary?: string | undefined;
}

/**
 * Starts a program that listens on a port, as a container would: with the environment that it is given and nothing
 * else.
 */
export async function startOnce(
  program: string,
  environment: (port: string, directory: string) => NodeJS.ProcessEnv,
  { nodeOptions = [], temporary }: StartOptions = {},
): Promise<Started> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-'));
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, program], {
    env: { TMPDIR: temporary ?? directory, ...environment(String(port), directory) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended before it listened`);
    await pause(tryAgainMs);
  }
  const startMs = performance.now() - begun;
  const startCpuMs = mainThreadMs(child.pid);
  await pause(settledMs);
  const settledCpuMs = mainThreadMs(child.pid);
  const idleMb = residentMb(child.pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(directory, { recursive: true, force: true });
  return { startMs, startCpuMs, settledCpuMs, idleMb };
}

/** The control API as its image starts it, and what else it is told. */
export function startApiOnce(
  main: string,
  more: NodeJS.ProcessEnv = {},
  temporary?: string,
): Promise<Started> {
  const environment = (port: string, directory: string) => ({
    ...controlApiEnvironment(directory, port),
    ...more,
  });
  return startOnce(main, environment, { nodeOptions: nodeOptionsOf('control-api'), temporary });
}

function mainThreadMs(pid: number | undefined): number {
  const [nanoseconds = ''] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
