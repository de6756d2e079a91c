import type { DrainPhase } from '@steward/shared/drain';
import { Problem } from '@steward/shared/problems/problem';
import { type CourseParts, DrainCourse } from './course.ts';
import { type AskedDrain, CalledOff, type Standing } from './standing.ts';

const minuteMs = 60_000;

/** How players are seen off, and for which operation. */
export interface ClosedFor extends AskedDrain {
  readonly operationId: string;
  /** Whether the game is away meanwhile. */
  readonly stopsGame?: boolean;
  readonly step: (phase: DrainPhase) => Promise<void>;
}

/** Says by `begins` that what it does now cannot be called off; that throws where it was called off before. */
export type ClosedWork<Result> = (isSaved: boolean, begins: () => void) => Promise<Result>;

export interface ClosedWhileParts extends CourseParts, Pick<ClosedFor, 'operationId' | 'step' | 'stopsGame'> {
  readonly standing: Standing;
  readonly isIn: (phase: DrainPhase, leftMs?: number) => void;
}

/** Until the work says that it begins it can be called off as a drain is; then this throws the Problem that says so. */
export async function closedWhile<Result>(
  { standing, isIn, step, operationId, stopsGame = false, ...parts }: ClosedWhileParts,
  work: ClosedWork<Result>,
): Promise<Result> {
  const { order, calling } = standing;
  const { signal } = calling;
  const phase = async (now: DrainPhase, leftMs?: number) => {
    signal.throwIfAborted();
    isIn(now, leftMs);
    void step(now);
  };
  const course = new DrainCourse(parts, order, { phase, signal, operationId });
  const waitMs = order.minutes * minuteMs;
  const seenOff = stopsGame ? course.takeAway(waitMs) : course.seeOff(waitMs);
  const running = seenOff.then((isSaved) => {
    signal.throwIfAborted();
    const begins = () => {
      signal.throwIfAborted();
      standing.isPastRecall = true;
    };
    return unlessCalledOff(work(isSaved, begins), standing);
  });
  standing.over = unlessStopped(seenOff, running, signal);
  return running.catch((error: unknown) => {
    throw error instanceof CalledOff ? new Problem('command-void', error.message) : error;
  });
}

/** A backup that nobody waits for any more goes on by itself. */
function unlessCalledOff<Result>(work: Promise<Result>, standing: Standing): Promise<Result> {
  const { signal } = standing.calling;
  const { promise: calledOff, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => {
    if (!standing.isPastRecall) reject(signal.reason);
  });
  return Promise.race([calledOff, work]);
}

/** What a game is told at the end is not waited for where this process ends. */
function unlessStopped(
  seenOff: Promise<unknown>,
  running: Promise<unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => {
    const { reason } = signal;
    if (reason instanceof CalledOff && reason.isByStop) void seenOff.then(() => resolve(), resolve);
  });
  return Promise.race([running.catch(() => {}), stopped]);
}
