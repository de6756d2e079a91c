import { exitCode } from './exit-code.ts';

/** A full disk costs a line of the log; the next one may find room. */
const outOfRoom: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

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
 */
export function endWithReader(host: WritingProcess = process): void {
  let wasTold = false;
  for (const output of [host.stdout, host.stderr])
    output.on('error', ({ code, errno }) => {
      // Without a number it is no word of the system's: the program itself has closed its output.
      if (wasTold || errno === undefined || outOfRoom.includes(code)) return;
      wasTold = true;
      if (!host.emit('SIGHUP', 'SIGHUP')) host.exit(exitCode.failure);
    });
}
