import { Secret } from '@steward/service-kit/secret';
import { killedFileSteps } from '@steward/service-kit/test/killed-file-steps';
import { SessionStore } from '../../src/tokens/session-store.ts';

// Saves a session and is killed before the given step, or in the middle of it; step 0 never comes.
const [directory = '', username = '', token = '', killAt = '0', manner = 'before'] = process.argv.slice(2);
const { steps, taken } = killedFileSteps(Number(killAt), manner);
const store = new SessionStore({
  directory,
  clock: { date: () => new Date() },
  report: (problem) => process.stderr.write(`${problem}\n`),
  steps,
});
await store.save({ username, token: new Secret(token) });
process.stdout.write(`saved in ${taken()} steps\n`);
