import { setTimeout as pause } from 'node:timers/promises';
import type { Exit, Program } from '@steward/testing/program';
import { aborted } from './aborted.ts';

export const blows = ['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const;

export type Blow = (typeof blows)[number];

/** So many lines say what a process had to do with last. */
const lastWords = 20;

/** Something that can be struck; after each blow it runs again. */
export interface Strikable {
  readonly name: string;
  /** How often it was struck by what. */
  readonly struck: Readonly<Record<Blow, number>>;
  strike(blow: Blow, stoppedMs: number): Promise<void>;
}

/** One process of the system, and what happens to it: one thing at a time. */
export class Ward implements Strikable {
  readonly name: string;
  readonly struck: Record<Blow, number> = { SIGKILL: 0, SIGTERM: 0, SIGSTOP: 0 };
  readonly #start: () => Promise<Program>;
  readonly #lines: string[] = [];
  #program: Program | undefined;
  /** Whoever told it to end knows why it is gone. */
  #isToldToEnd = false;
  #isStopped = false;
  #work: Promise<void> = Promise.resolve();
  readonly #failure = Promise.withResolvers<never>();

  constructor(name: string, start: () => Promise<Program>) {
    this.name = name;
    this.#start = start;
    // Whether anybody waits for it is their own affair.
    this.#failure.promise.catch(() => {});
  }

  /** Rejects once it has ended by itself, or did not start: nobody starts it again, so that whoever waits for it does so for ever. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /** All that it has written, in all its lives. */
  get output(): readonly string[] {
    return [...this.#lines, ...this.life];
  }

  /** What it has written since its last start; nothing while it is down. */
  get life(): readonly string[] {
    return this.#program === undefined ? [] : [...this.#program.stdout, ...this.#program.stderr];
  }

  /** Takes away all but the newest lines of each stream: what a long run has to read, and must not keep. */
  drain(keep: number): readonly string[] {
    const { stdout = [], stderr = [] } = this.#program ?? {};
    const old = [stdout, stderr].flatMap((lines) => lines.splice(0, Math.max(0, lines.length - keep)));
    return [...this.#lines.splice(0), ...old];
  }

  get running(): boolean {
    return this.#program?.running === true;
  }

  start(): Promise<void> {
    return this.#inTurn(() => this.#live());
  }

  strike(blow: Blow, stoppedMs: number): Promise<void> {
    return this.#inTurn(async () => {
      const program = this.#program;
      if (program === undefined) return;
      this.struck[blow] += 1;
      this.#isToldToEnd = blow !== 'SIGSTOP';
      program.kill(blow);
      if (blow === 'SIGSTOP') {
        await pause(stoppedMs);
        program.kill('SIGCONT');
        return;
      }
      await this.#again(program);
    });
  }

  /** Whoever asked it to stop is done with it: it is started again, as by whatever keeps it running. The signal gives up on its end. */
  startAgain(signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      const program = this.#program;
      if (program === undefined) return;
      this.#isToldToEnd = true;
      await Promise.race([program.exited, aborted(signal)]);
      await this.#again(program);
    });
  }

  /** Ends it as its operator would; from then on nothing can strike it, or starts it again. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#inTurn(async () => {
      const program = this.#program;
      if (program === undefined) return;
      this.#isToldToEnd = true;
      program.kill('SIGTERM');
      await this.#over(program);
    });
  }

  async #again(program: Program): Promise<void> {
    await this.#over(program);
    await this.#live();
  }

  async #over(program: Program): Promise<void> {
    await program.exited;
    this.#lines.push(...this.life);
    this.#program = undefined;
  }

  async #live(): Promise<void> {
    if (this.#isStopped) return;
    this.#isToldToEnd = false;
    try {
      const program = await this.#start();
      this.#program = program;
      void program.exited.then((exit) => this.#ended(program, exit));
    } catch (error) {
      this.#failure.reject(new Error(`${this.name} did not start`, { cause: error }));
      throw error;
    }
  }

  /** With 0 ends what another process has told to end, as the control API its game. */
  #ended(program: Program, { code, signal }: Exit): void {
    if (program !== this.#program || this.#isToldToEnd || code === 0) return;
    const words = this.life.slice(-lastWords).join('\n');
    this.#failure.reject(new Error(`${this.name} ended by itself with ${code ?? signal}: ${words}`));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }
}
