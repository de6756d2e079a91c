import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { inherited, programFile } from '@steward/testing/program';
import type { Ended, Order } from './command-host.ts';

/** What has come of a command, line by line as it was written. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string[];
  readonly stderr: string[];
}

/**
 * A program's commands that end by themselves, one after another in one process. What is about the process itself (its controlling
 * terminal, its input, its signals, what it is preloaded with or trusts) wants a `Program` of its own.
 */
export class CommandsInTurn implements AsyncDisposable {
  readonly #program: string;
  #host: ChildProcess | undefined;

  /** Where the `program` is described: a path below the checkout, such as `packages/control-api/src/program.ts`. */
  constructor(program: string) {
    this.#program = programFile(program);
  }

  /** `terminal`: the path of one that nobody else reads. */
  async run(args: readonly string[], environment: NodeJS.ProcessEnv, terminal?: string): Promise<Outcome> {
    this.#host ??= fork(hostOf(this.#program), [this.#program], { env: inherited(), execArgv: [] });
    const own = terminal === undefined ? {} : { terminal };
    const order: Order = { args, environment: { ...inherited(), ...environment }, ...own };
    this.#host.send(order);
    const { code, stdout, stderr } = await this.#answer(this.#host);
    return { code, stdout: linesOf(stdout), stderr: linesOf(stderr) };
  }

  /** Also the command that it is at; the next one has a process of its own again. */
  async kill(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    if (host === undefined || host.exitCode !== null) return;
    const exited = once(host, 'exit');
    host.kill('SIGKILL');
    await exited;
  }

  async #answer(host: ChildProcess): Promise<Ended> {
    const done = new AbortController();
    const { signal } = done;
    try {
      return await Promise.race([
        once(host, 'message', { signal }).then(([ended]) => ended),
        once(host, 'exit', { signal }).then(() => {
          throw new Error('the process of the commands has ended');
        }),
      ]);
    } finally {
      done.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const host = this.#host;
    if (host === undefined || host.exitCode !== null) return;
    const exited = once(host, 'exit');
    host.disconnect();
    await exited;
  }
}

/** Where the program is bundled, its host is beside it, so that both are of the same modules. */
function hostOf(program: string): URL {
  return program.endsWith('.ts')
    ? new URL('command-host.ts', import.meta.url)
    : new URL('command-host.js', pathToFileURL(program));
}

/** A line ends where it is broken; what follows the last break is one only where there is something. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
