import type { Clock } from '@steward/service-kit/clock';
import { type CheckFinding, failed, type Result, skipped, whatWentWrong } from './check-finding.ts';

export interface Check<Needs extends object, T> {
  /** As `--json` calls it. */
  readonly name: string;
  readonly title: string;
  /** What it may take, from the moment when all that it needs is there. */
  readonly limitMs: number;
  examine(needs: Needs): Promise<Result<T>> | Result<T>;
}

/** A check under way: what it finds, and the value that others build on. */
export interface Step<T> {
  readonly name: string;
  readonly title: string;
  readonly finding: Promise<CheckFinding>;
  readonly outcome: Promise<Outcome<T>>;
}

/** The value, or the title of the check that is to blame for there being none. */
type Outcome<T> = { readonly value: T } | { readonly blame: string };

type StepsOf<Needs> = { readonly [Name in keyof Needs]: Step<Needs[Name]> };

/** Runs checks as soon as what they need is known, at the same time where they can, each within its limit. */
export class Examination {
  readonly steps: Step<unknown>[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  check<Needs extends object, T>(check: Check<Needs, T>, needs: StepsOf<Needs>): Step<T> {
    const { name, title } = check;
    const result = this.#result(check, needs);
    const step: Step<T> = {
      name,
      title,
      finding: result.then(({ finding }) => finding),
      outcome: result.then(({ value, blame = title }) => (value === undefined ? { blame } : { value })),
    };
    this.steps.push(step);
    return step;
  }

  async #result<Needs extends object, T>(
    check: Check<Needs, T>,
    needs: StepsOf<Needs>,
  ): Promise<Result<T> & { readonly blame?: string }> {
    const values: Partial<Record<keyof Needs, unknown>> = {};
    for (const name of Object.keys(needs) as (keyof Needs)[]) {
      const outcome = await needs[name].outcome;
      if ('blame' in outcome)
        return { ...skipped(`because of the line "${outcome.blame}"`), blame: outcome.blame };
      values[name] = outcome.value;
    }
    return this.#inTime(check, values as Needs);
  }

  #inTime<Needs extends object, T>({ examine, limitMs }: Check<Needs, T>, needs: Needs): Promise<Result<T>> {
    return new Promise((resolve) => {
      const limit = this.#clock.after(limitMs, () =>
        resolve(
          failed(
            'network',
            `took longer than ${limitMs / 1_000} s`,
            'Run it again; if this happens again, what it waits for does not answer',
          ),
        ),
      );
      Promise.resolve()
        .then(() => examine(needs))
        .catch(whatWentWrong)
        .then(resolve)
        .finally(() => limit.cancel());
    });
  }
}
