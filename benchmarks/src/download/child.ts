import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program beside this one that takes one message and answers it. */
export class Child {
  readonly #process: ChildProcess;

  constructor(name: string, env: NodeJS.ProcessEnv = {}) {
    const file = fileURLToPath(import.meta.resolve(`./${name}.js`));
    this.#process = fork(file, { env: { PATH: process.env['PATH'], ...env }, execArgv: ['--no-warnings'] });
  }

  async ask<T>(question: object | string): Promise<T> {
    this.#process.send(question);
    const ended = once(this.#process, 'exit').then(([code]) => {
      throw new Error(`the measured process ended with ${code}`);
    });
    const [answer] = await Promise.race([once(this.#process, 'message'), ended]);
    ended.catch(() => {});
    return answer as T;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.disconnect();
    await exit;
  }
}
