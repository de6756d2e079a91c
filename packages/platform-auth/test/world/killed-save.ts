import { type FileSteps, fileSteps } from '@steward/service-kit/files/replace-file';
import { Secret } from '@steward/service-kit/secret';
import { SessionStore } from '../../src/saved-sessions/session-store.ts';

// Saves a session and is killed before the given step, or in the middle of it; step 0 never comes.
const [directory = '', username = '', token = '', killAt = '0', manner = 'before'] = process.argv.slice(2);
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

const store = new SessionStore({
  directory,
  clock: { date: () => new Date() },
  report: (problem) => process.stderr.write(`${problem}\n`),
  steps,
});
await store.save({ username, token: new Secret(token) });
process.stdout.write(`saved in ${step} steps\n`);
