import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, and how long it took until it said where it listens. */
export interface ServerProcess {
  readonly origin: string;
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Starts a program that writes a line with its origin once it listens. */
export async function startServer(specifier: string, env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(specifier)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await listeningOrigin(child);
  return {
    origin,
    startMs: performance.now() - started,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function listeningOrigin(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (origin === undefined) continue;
    child.stdout.resume();
    return origin;
  }
  throw new Error('the server ended before it listened');
}
