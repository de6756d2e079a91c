import { readJson } from '@steward/service-kit/json';
import { z } from 'zod';
import { waits } from '../../src/platform/backoff.ts';
import { waitingStates } from '../../src/session/session-words.ts';

// A line may be torn where a service was killed.
const told = z.object({ state: z.string().optional(), retryInMs: z.number().optional() });

export interface ToldWait {
  readonly class: keyof typeof waits;
  readonly ms: number;
  /** How many of its class came in a row, this one included, since the service started. */
  readonly inARow: number;
}

/** Every wait that a service has told its log of, in its order. */
export function toldWaits(lines: readonly string[]): readonly ToldWait[] {
  const found: ToldWait[] = [];
  let last: { state: string; inARow: number } | undefined;
  for (const line of lines) {
    const { state, retryInMs: ms } = told.catch({}).parse(readJson(line));
    if (state === 'credentials-refused') last = undefined;
    if (state === undefined || ms === undefined) continue;
    last = { state, inARow: last?.state === state ? last.inARow + 1 : 1 };
    for (const [name, waiting] of Object.entries(waitingStates))
      if (waiting === state) found.push({ class: name as ToldWait['class'], ms, inARow: last.inARow });
  }
  return found;
}

/** Whether it is as long as its own class has it, whatever else was met before. A stable session may have made it a shorter one. */
export function isOfItsTable({ class: name, ms, inARow }: ToldWait): boolean {
  const { firstMs, longestMs, jitter } = waits[name];
  return Array.from({ length: inARow }, (_, doublings) => Math.min(firstMs * 2 ** doublings, longestMs)).some(
    (least) => ms >= least && ms <= Math.ceil(least * (1 + jitter)),
  );
}
