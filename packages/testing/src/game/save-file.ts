import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import type { WholeState } from '@steward/shared/bridge/state';
import type { Fault } from './faults.ts';
import { keptIn, writeSaveFolder } from './save-folder.ts';

interface Saved {
  readonly state: WholeState;
  readonly journal: readonly (readonly [string, CommandOutcome])[];
}

interface SavePaths {
  /** Where the farm is saved; without one a crash forgets everything. */
  readonly save?: string | undefined;
  /** The same as a folder in this directory, laid out as the real game's, where another than this game reads it. */
  readonly saves?: string | undefined;
  /** Where each application, save and start leaves a line, for tests that look back over crashes. */
  readonly trace?: string | undefined;
}

/** What a game that runs as a process keeps. The farm and the journal are one: a save has both. */
export class SaveFile {
  readonly #paths: SavePaths;
  readonly #fault: Fault | undefined;

  constructor(paths: SavePaths, fault: Fault | undefined) {
    this.#paths = paths;
    this.#fault = fault;
  }

  read(): Saved | undefined {
    const { save, saves } = this.#paths;
    const text = saves === undefined ? textOf(save) : keptIn(saves);
    return text === undefined ? undefined : JSON.parse(text);
  }

  applied(command: string, state: WholeState, journal: ReadonlyMap<string, CommandOutcome>): void {
    this.trace(`apply ${command}`);
    if (this.#fault === 'journal-outlives-crash')
      this.#write({ state, ...this.read(), journal: [...journal] });
  }

  save(state: WholeState, journal: ReadonlyMap<string, CommandOutcome>): void {
    const entries = [...journal];
    // What is noted last is the command that saves.
    const saved = { 'journal-not-saved': [], 'saves-before-noting': entries.slice(0, -1) };
    this.#write({ state, journal: saved[this.#fault as keyof typeof saved] ?? entries });
    this.trace('save');
  }

  trace(line: string): void {
    if (this.#paths.trace !== undefined) appendFileSync(this.#paths.trace, `${line}\n`);
  }

  #write(saved: Saved): void {
    const { save, saves } = this.#paths;
    const text = JSON.stringify(saved);
    if (saves !== undefined) writeSaveFolder(saves, saved.state, text);
    if (save === undefined) return;
    writeFileSync(`${save}.new`, text);
    renameSync(`${save}.new`, save);
  }
}

function textOf(path: string | undefined): string | undefined {
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
