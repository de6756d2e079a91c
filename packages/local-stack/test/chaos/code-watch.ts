import type { Codes } from './way-truth.ts';

/** Looks whether a code is shown that does not work, and for how long. */
export class CodeWatch {
  readonly violations: string[] = [];
  /** The longest that a dead code was still shown. */
  slowestMs = 0;
  readonly #withdrawnMs: () => number;
  /** When each code was seen dead first, since it was last seen alive. */
  readonly #deadSince = new Map<string, number>();

  constructor(withdrawnMs: () => number) {
    this.#withdrawnMs = withdrawnMs;
  }

  /** What worked at that time, and what was shown in an answer that was asked for after it. */
  look(working: Codes, shown: readonly string[], at: number): void {
    const alive = [working.network, working.platform];
    for (const code of shown) {
      if (alive.includes(code)) {
        this.#deadSince.delete(code);
        continue;
      }
      const since = this.#deadSince.get(code) ?? at;
      this.#deadSince.set(code, since);
      const ms = at - since;
      this.slowestMs = Math.max(this.slowestMs, ms);
      if (ms > this.#withdrawnMs())
        this.violations.push(`${code} has been dead for ${Math.round(ms)} ms, and is shown; ${alive} work`);
    }
    for (const code of this.#deadSince.keys()) if (!shown.includes(code)) this.#deadSince.delete(code);
  }
}
