import { type FileSteps, fileSteps } from '../src/files/replace-file.ts';

/**
 * The steps of a durable write, in a process that kills itself before the given one or, where `manner` is `halfway`, in the
 * middle of its write; step 0 never comes.
 */
export function killedFileSteps(killAt: number, manner: string) {
  let taken = 0;

  function reached(): boolean {
    taken += 1;
    return taken === killAt;
  }

  function orDie<Given extends unknown[], Result>(take: (...given: Given) => Promise<Result>) {
    return async (...given: Given): Promise<Result> => (reached() ? die() : take(...given));
  }

  const steps: FileSteps = {
    create: orDie(fileSteps.create),
    async write(file, text) {
      if (reached()) {
        if (manner === 'halfway') await fileSteps.write(file, text.slice(0, text.length >> 1));
        die();
      }
      await fileSteps.write(file, text);
    },
    flush: orDie(fileSteps.flush),
    liken: orDie(fileSteps.liken),
    rename: orDie(fileSteps.rename),
    flushDirectory: orDie(fileSteps.flushDirectory),
  };
  return { steps, taken: () => taken };
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal takes effect before anything else is done.
  for (;;);
}
