import { type FileSteps, fileSteps } from '@steward/service-kit/files/replace-file';
import { oneMoreClaim } from './one-more-claim.ts';

// Writes one more claim and is killed before the given step, or in the middle of it; step 0 never comes.
const [directory = '', killAt = '0', manner = 'before'] = process.argv.slice(2);
let step = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal takes effect before anything else is done.
  for (;;);
}

function reached(): boolean {
  step += 1;
  return step === Number(killAt);
}

const steps: FileSteps = {
  async create(path, mode) {
    if (reached()) die();
    return fileSteps.create(path, mode);
  },
  async write(file, text) {
    if (reached()) {
      if (manner === 'halfway') await fileSteps.write(file, text.slice(0, text.length >> 1));
      die();
    }
    await fileSteps.write(file, text);
  },
  async flush(file) {
    if (reached()) die();
    await fileSteps.flush(file);
  },
  async rename(from, to) {
    if (reached()) die();
    await fileSteps.rename(from, to);
  },
  async flushDirectory(path) {
    if (reached()) die();
    await fileSteps.flushDirectory(path);
  },
};

await oneMoreClaim(directory, steps);
process.stdout.write(`written in ${step} steps\n`);
