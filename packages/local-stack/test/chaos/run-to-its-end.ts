import type { TestContext } from 'vitest';

/** Gives a run the time that the test has. Where that is over, the test lasts until the run has ended what it started. */
export function runToItsEnd<Result>(
  { signal, onTestFinished }: TestContext,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const done = run(signal);
  onTestFinished(async () => {
    await done.catch(() => {});
  });
  return done;
}
