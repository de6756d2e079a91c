import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { Bench, Streams } from './bench.ts';
import { Watch } from './patience.ts';

/** Starts the game for each connection, as the control API would. */
export class SpawnBench implements Bench {
  readonly mode = 'spawn';
  readonly where: string;
  readonly secret = undefined;
  readonly #command: readonly string[];
  readonly #watch = new Watch();
  #child: ChildProcess | undefined;

  constructor(command: readonly string[]) {
    this.#command = command;
    this.where = JSON.stringify(command);
  }

  async next(): Promise<Streams | undefined> {
    await this.drop(true);
    const child = await started(this.#command);
    child.on('error', () => this.#watch.changed());
    child.on('exit', () => this.#watch.changed());
    this.#child = child;
    return {
      input: child.stdout,
      output: child.stdin,
      end: () => child.stdin.end(),
      strayLines: true,
    };
  }

  async drop(_crash: boolean): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || !running(child)) return;
    process.kill(-child.pid, 'SIGKILL');
    await this.#watch.holds(() => !running(child), 5_000);
  }

  async exits(ms: number): Promise<number | 'signal' | undefined> {
    const child = this.#child;
    if (child === undefined || !(await this.#watch.holds(() => !running(child), ms))) return undefined;
    return child.exitCode ?? 'signal';
  }

  endInput(): void {
    this.#child?.stdin?.end();
  }

  async close(): Promise<void> {
    await this.drop(true);
  }
}

/** A command that cannot be started is no game that breaks a rule. */
async function started(command: readonly string[]): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const [file = '', ...args] = command;
  try {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the command ${JSON.stringify(command)} could not be started: ${reason}`);
  }
}

function running(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
