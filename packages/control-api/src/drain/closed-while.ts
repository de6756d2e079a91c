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

export interface ClosedWhileParts extends CourseParts, Pick<ClosedFor, 'operationId' | 'step' | 'stopsGame'> {
  readonly standing: Standing;
  readonly isIn: (phase: DrainPhase, leftMs?: number) => void;
}

/** Until the work begins it can be called off as a drain is; then it throws the Problem that says so. */
export async function closedWhile<Result>(
  { standing, isIn, step, operationId, stopsGame = false, ...parts }: ClosedWhileParts,
  work: (isSaved: boolean) => Promise<Result>,
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
    return work(isSaved);
  });
  standing.over = unlessStopped(seenOff, running, signal);
  return running.catch((error: unknown) => {
    throw error instanceof CalledOff ? new Problem('command-void', error.message) : error;
  });
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
