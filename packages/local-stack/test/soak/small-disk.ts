import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gauge } from './gauge.ts';

const blockBytes = 64 * 1024;

/** A directory that can run full: a file system of its own where this user may mount one, else the process is told that it is full. */
export class SmallDisk implements Disposable {
  readonly isReal: boolean;
  times = 0;
  readonly #path: string;
  readonly #user: Gauge;

  constructor(path: string, megabytes: number, user: Gauge) {
    this.#path = path;
    this.#user = user;
    mkdirSync(path, { recursive: true });
    this.isReal = run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path);
  }

  /** Not a byte more. */
  async fill(): Promise<void> {
    this.times += 1;
    if (this.isReal) fillUp(this.#ballast);
    else await this.#user.order('disk', 1);
  }

  async empty(): Promise<void> {
    if (this.isReal) rmSync(this.#ballast, { force: true });
    else await this.#user.order('disk', 0);
  }

  [Symbol.dispose](): void {
    if (this.isReal) run('umount', '-l', this.#path);
  }

  get #ballast(): string {
    return join(this.#path, 'ballast');
  }
}

function fillUp(path: string): void {
  for (let bytes = blockBytes; bytes >= 1; bytes >>= 4) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

function run(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
