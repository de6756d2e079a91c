import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program, beside this one or by its path, that takes one message and answers it. */
export class Child {
  readonly #process: ChildProcess;

  constructor(name: string, env: NodeJS.ProcessEnv = {}) {
    const file = isAbsolute(name) ? name : fileURLToPath(import.meta.resolve(`./${name}.ts`));
    this.#process = fork(file, { env: { PATH: process.env['PATH'], ...env }, execArgv: ['--no-warnings'] });
  }

  get pid(): number {
    if (this.#process.pid === undefined) throw new Error('the process did not start');
    return this.#process.pid;
  }

  async ask<T>(question: object | string): Promise<T> {
    this.#process.send(question);
    const answered = new AbortController();
    const { signal } = answered;
    const ended = once(this.#process, 'exit', { signal }).then(([code]) => {
      throw new Error(`the measured process ended with ${code}`);
    });
    try {
      const [answer] = await Promise.race([once(this.#process, 'message', { signal }), ended]);
      return answer as T;
    } finally {
      ended.catch(() => {});
      answered.abort();
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.disconnect();
    await exit;
  }
}
