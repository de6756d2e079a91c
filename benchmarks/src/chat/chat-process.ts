import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Said, Usage } from './driven-server.ts';

/** A server under orders, in a process of its own. */
export class ChatProcess {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(which: 'relay' | 'bare', nodeOptions: readonly string[] = []): Promise<ChatProcess> {
    const file = fileURLToPath(import.meta.resolve(`./${which}-server.ts`));
    const child = fork(file, { execArgv: ['--expose-gc', ...nodeOptions] });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new ChatProcess(child, port);
  }

  async say(times: number): Promise<Said> {
    return (await this.#ask({ order: 'say', times })) as Said;
  }

  /** `collected`: without the garbage of what was before. */
  async usage({ collected = false } = {}): Promise<Usage> {
    return (await this.#ask({ order: 'usage', collected })) as Usage;
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.disconnect();
    await exit;
  }

  async #ask(order: Order): Promise<unknown> {
    this.#child.send(order);
    const [answer] = await once(this.#child, 'message');
    return answer;
  }
}
