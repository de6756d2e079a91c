import { appendFile } from 'node:fs/promises';
import { type DiskSteps, diskSteps } from '../../src/download/disk/disk-steps.ts';

export class Killed extends Error {}

/** When and how a process dies: before a step, or in the middle of one that writes. Step 0 never comes. */
export interface Death {
  readonly atStep: number;
  readonly manner: 'before' | 'halfway';
}

/** The disk until a process dies: from then on nothing of it reaches the disk any more. */
export class MortalSteps implements DiskSteps {
  /** What was to be done at each step so far. */
  readonly kinds: string[] = [];
  readonly #death: Death;
  readonly #error: () => Error;

  /** What is thrown at the step may also be an error of the disk; then, too, every later step fails. */
  constructor(death: Death, error: () => Error = () => new Killed()) {
    this.#death = death;
    this.#error = error;
  }

  get steps(): number {
    return this.kinds.length;
  }

  makeDirectory = this.#step(diskSteps.makeDirectory);
  // The cut itself is one system call; between the two there is a file of the size that it had.
  resize = this.#step(diskSteps.resize, (path) => appendFile(path, ''));
  writeAt = this.#step(diskSteps.writeAt, (path, data, offset) =>
    diskSteps.writeAt(path, data.subarray(0, data.length >> 1), offset),
  );
  writeWhole = this.#step(diskSteps.writeWhole, (path, text) =>
    diskSteps.writeWhole(path, text.slice(0, text.length >> 1)),
  );
  copy = this.#step(diskSteps.copy, async (from, to) => {
    await diskSteps.copy(from, to);
    await diskSteps.resize(to, 1);
  });
  setMode = this.#step(diskSteps.setMode);
  flush = this.#step(diskSteps.flush);
  flushNames = this.#step(diskSteps.flushNames);
  rename = this.#step(diskSteps.rename);
  link = this.#step(diskSteps.link);
  remove = this.#step(diskSteps.remove);
  removeEmptyDirectory = this.#step(diskSteps.removeEmptyDirectory);
  removeDirectory = this.#step(diskSteps.removeDirectory);

  #step<Args extends readonly unknown[]>(
    whole: (...args: Args) => Promise<void>,
    half: (...args: Args) => Promise<void> = async () => {},
  ): (...args: Args) => Promise<void> {
    return async (...args) => {
      this.kinds.push(whole.name);
      const { atStep, manner } = this.#death;
      if (atStep === 0 || this.steps < atStep) return whole(...args);
      if (this.steps === atStep && manner === 'halfway') await half(...args);
      throw this.#error();
    };
  }
}

/** The steps with which a row of one kind begins or ends. Those between leave what these leave, of other files. */
export function edgesOf(kinds: readonly string[]): readonly number[] {
  return kinds.flatMap((kind, at) => (kind === kinds[at - 1] && kind === kinds[at + 1] ? [] : [at + 1]));
}
