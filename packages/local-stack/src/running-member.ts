import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogStream } from './log-stream.ts';
import type { Member } from './members.ts';

const readyPollMs = 25;
const readyLimitMs = 30_000;
const stopLimitMs = 12_000;

const leaveWithParent = import.meta.resolve('./leave-with-parent.js');

/** A member's process, from its start to its end. */
export class RunningMember {
  readonly name: string;
  readonly exited: Promise<void>;
  readonly #health: string;
  readonly #child: ChildProcess;

  constructor(member: Member, log: LogStream) {
    this.name = member.name;
    this.#health = member.health;
    this.#child = spawn(process.execPath, ['--import', leaveWithParent, member.entry], {
      env: { ...process.env, ...log.environment, ...member.environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Its own process group: Ctrl-C reaches the stack alone, which then stops its members in order.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null)
        createInterface({ input: stream }).on('line', (line) => log.write(member.name, line));
    }
    this.exited = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', () => resolve());
    });
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** False when the process ended or took too long, which its log explains. */
  async ready(): Promise<boolean> {
    const deadline = performance.now() + readyLimitMs;
    while (this.running && performance.now() < deadline) {
      if (await answers(this.#health)) return true;
      await pause(readyPollMs);
    }
    if (this.running) this.#child.kill('SIGKILL');
    return false;
  }

  async stop(): Promise<void> {
    if (!this.running) return;
    this.#child.kill('SIGTERM');
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), stopLimitMs);
    await this.exited;
    clearTimeout(limit);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
