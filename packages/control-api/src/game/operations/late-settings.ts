import type { Log } from '@steward/service-kit/log/log';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { LiveOperation } from './live-operation.ts';
import type { Operation, SettingsFileChange } from './operation.ts';

/** A change of settings that the game told of when its caller had been answered already. */
export interface LateChange {
  readonly operationId: string;
  readonly outcome: AppliedOutcome;
  /** What was asked for, and what stood in the file then. */
  readonly asked: SettingsFileChange;
  /** What other operations have changed in the file, as far as they are remembered: those that began before, and since. */
  readonly earlier: readonly SettingsFileChange[];
  readonly later: readonly SettingsFileChange[];
}

/** Resolves to what of the file is changed when that is on the disk. */
export type WriteLate = (change: LateChange) => Promise<SettingsFileChange>;

/** Has the settings file written before a change that was told late counts as applied: an operation never says more than is so. */
export class LateSettings {
  readonly #others: () => readonly Operation[];
  readonly #log: Log;
  readonly #writing = new Set<string>();
  #write: WriteLate | undefined;

  constructor(others: () => readonly Operation[], log: Log) {
    this.#others = others;
    this.#log = log;
  }

  writtenBy(write: WriteLate): void {
    this.#write = write;
  }

  /** Goes on to `applied`, after the file; where that cannot be written the outcome stays open, and whoever asks again tries again. */
  async applied(live: LiveOperation, outcome: AppliedOutcome): Promise<boolean> {
    const { id, state, createdAt, settingsAsked: asked } = live.now;
    if (state !== 'unknown' || asked === undefined || this.#write === undefined) return live.outcome(outcome);
    if (this.#writing.has(id)) return false;
    this.#writing.add(id);
    try {
      const others = this.#others().filter((other) => other.id !== id);
      const changesOf = (some: readonly Operation[]) =>
        some.flatMap(({ settingsFile }) => settingsFile ?? []);
      const settingsFile = await this.#write({
        ...{ operationId: id, outcome, asked },
        earlier: changesOf(others.filter((other) => other.createdAt <= createdAt)),
        later: changesOf(others.filter((other) => other.createdAt > createdAt)),
      });
      return await live.become('applied', { outcome, settingsFile });
    } catch (error) {
      await this.#notYet(live, error);
      return false;
    } finally {
      this.#writing.delete(id);
    }
  }

  async #notYet(live: LiveOperation, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const why = `the game has applied it, and the settings file is not changed yet: ${reason}`;
    if (await live.explain(why)) this.#log.error({ err: error, operation: live.now.id }, why);
  }
}
