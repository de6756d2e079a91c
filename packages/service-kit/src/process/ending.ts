import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import { exitCode, isOutOfRoom } from './errors.ts';

interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** The parts of `process` that are used here. */
export interface WritingProcess {
  readonly stdout: Output;
  readonly stderr: Output;
  emit(event: 'SIGHUP', signal: 'SIGHUP'): boolean;
  exit(code: number): void;
}

/**
 * Called first by every program: it ends when nobody reads any more what it writes, as `| head` does when it has seen enough. That is as if
 * its terminal had been closed: what stops in order on SIGHUP does so, and the rest is over at once. Without this the error
 * would be logged to the very pipe that it came from, and be an error again, without end.
 *
 * A full disk costs a line of the log; the next one may find room. What comes back says whether stdout has ever met one.
 */
export function endWithReader(host: WritingProcess = process): () => boolean {
  let wasTold = false;
  let wasFull = false;
  for (const output of [host.stdout, host.stderr])
    output.on('error', (error) => {
      // Without a number it is no word of the system's: the program itself has closed its output.
      if (wasTold || error.errno === undefined) return;
      if (isOutOfRoom(error)) {
        wasFull ||= output === host.stdout;
        return;
      }
      wasTold = true;
      if (!host.emit('SIGHUP', 'SIGHUP')) host.exit(exitCode.failure);
    });
  return () => wasFull;
}

/** To a file, Node's own stdout writes once and does not look how much was taken: a disk that is nearly full takes a part. */
export function writeWhole(output: Writable, fd: number): void {
  if (!fstatSync(fd).isFile()) return;
  output._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}

/** One Ctrl-C can reach a process twice, from the terminal and from npm; a person's second one comes later. */
export const sameSignalMs = 300;

/** What a service may take to finish what it has begun. */
export const serviceStopLimitMs = 10_000;

const longestTimerMs = 2 ** 31 - 1;

const signals = ['SIGINT', 'SIGTERM'] as const;

/** What is asked of a logger; pino’s fits. */
export interface EndingLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  error(facts: object, message: string): void;
  fatal(facts: object, message: string): void;
}

export interface Stopping {
  readonly stop: () => Promise<void>;
  readonly logger: EndingLog;
  readonly limitMs?: number;
  /** Takes care of an error that nobody caught, where it does not concern the rest of the process; true when it did. */
  readonly contain?: (cause: unknown) => boolean;
}

/** The parts of `process` that are used here. */
export interface ProcessLike {
  on(event: string, listener: (cause: unknown) => void): unknown;
  exit(code: number): void;
}

/**
 * Stops cleanly on the first SIGINT or SIGTERM, at once on the second. An error that nobody caught or contains is logged
 * and ends the process the same clean way, with exit code 1; so does the end of whoever reads what it writes.
 */
export function runUntilSignal(
  { stop, logger, limitMs = serviceStopLimitMs, contain = () => false }: Stopping,
  host: ProcessLike = process,
  clock: Clock = systemClock,
): void {
  let stoppingSince: number | undefined;
  /** Keeps the process from ending for want of anything to wait for, as a service without a listener would. */
  const holdOpen = (): void => void clock.after(longestTimerMs, holdOpen);
  holdOpen();

  const leave = async (code: number): Promise<void> => {
    stoppingSince = clock.now();
    clock.after(limitMs, () => {
      logger.error(`not stopped after ${limitMs / 1000} s; leaving`);
      host.exit(1);
    });
    try {
      await stop();
      host.exit(code);
    } catch (error) {
      logger.error({ err: error }, 'stopping failed');
      host.exit(1);
    }
  };

  for (const signal of signals) {
    host.on(signal, () => {
      if (stoppingSince === undefined) {
        logger.info(`${signal}: stopping in order; a second signal stops at once`);
        void leave(0);
      } else if (clock.now() - stoppingSince > sameSignalMs) {
        logger.warn(`${signal} again: exiting at once`);
        host.exit(1);
      }
    });
  }

  // The terminal was closed, or nobody reads the log any more; nothing is asked of whoever stops already.
  host.on('SIGHUP', () => {
    if (stoppingSince !== undefined) return;
    logger.warn('the terminal was closed: stopping');
    void leave(exitCode.failure);
  });

  for (const event of ['uncaughtException', 'unhandledRejection']) {
    host.on(event, (cause) => {
      if (contain(cause)) return;
      logger.fatal({ err: cause }, `${event}: stopping`);
      if (stoppingSince === undefined) void leave(1);
    });
  }
}
