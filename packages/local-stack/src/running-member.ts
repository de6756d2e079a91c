import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Member, MemberName } from './member.ts';
import type { MemberLog } from './member-log.ts';

const readyPollMs = 25;
const readyLimitMs = 30_000;
const usualStopLimitMs = 50_000;

const leaveWithParent = import.meta.resolve('./leave-with-parent.ts');

/** A member's process, from its start to its end. */
export class RunningMember {
  readonly name: MemberName;
  readonly exited: Promise<void>;
  /** The first line on stdout, which is not logged; undefined when there is none. Only of members without a log there. */
  readonly firstLine: Promise<string | undefined>;
  readonly #child: ChildProcess;
  readonly #stopLimitMs: number;

  constructor(member: Member, log: MemberLog, { keepsFirstLine = false } = {}) {
    this.name = member.name;
    this.#stopLimitMs = member.stopLimitMs ?? usualStopLimitMs;
    const child = spawn(
      process.execPath,
      [...member.nodeOptions, '--import', leaveWithParent, member.entry, ...(member.args ?? [])],
      {
        // Its lines are for the log of the stack, which makes of them what people read.
        env: { ...process.env, LOG_FORMAT: 'json', ...member.environment },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // Its own process group: Ctrl-C reaches the stack alone, which then stops its members in order.
        detached: true,
      },
    );
    this.#child = child;
    this.exited = new Promise((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
    const output = lines(child.stdout);
    this.firstLine = keepsFirstLine ? firstLineOf(output) : Promise.resolve(undefined);
    const show = (line: string) => log.write(member.name, line);
    void this.firstLine.then(() => output.on('line', show));
    lines(child.stderr).on('line', show);
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Waits until the URL answers 200. False when the process ended, or took too long and is ended here, as `late` is told. */
  async answers(url: string, late: (why: string) => void, limitMs = readyLimitMs): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    while (this.running && performance.now() < deadline) {
      if (await answersOk(url)) return true;
      await pause(readyPollMs);
    }
    if (this.running) {
      const why = `${this.name} did not answer ${url} within ${limitMs / 1_000} s and is ended`;
      late(`${why}: is this machine busy, or its disk slow?`);
      this.#child.kill('SIGKILL');
    }
    return false;
  }

  /** Waits until it has ended. When it takes too long it is ended here, as `late` is told. */
  async stop(late: (why: string) => void): Promise<void> {
    if (!this.running) return;
    this.#child.kill('SIGTERM');
    const limit = setTimeout(() => {
      late(`${this.name} did not stop within ${this.#stopLimitMs / 1_000} s and is ended`);
      this.#child.kill('SIGKILL');
    }, this.#stopLimitMs);
    await this.exited;
    clearTimeout(limit);
  }
}

function lines(stream: Readable | null): Interface {
  if (stream === null) throw new Error('a member was started without pipes');
  return createInterface({ input: stream });
}

async function firstLineOf(output: Interface): Promise<string | undefined> {
  const ended = once(output, 'close').then(() => [undefined]);
  const [line] = await Promise.race([once(output, 'line'), ended]);
  return line;
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
