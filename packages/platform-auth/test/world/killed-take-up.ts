import { Secret } from '@steward/service-kit/secret';
import { killedFileSteps } from '@steward/service-kit/test/killed-file-steps';
import { ConfiguredAccount } from '../../src/session/configured-account.ts';
import { SessionStore } from '../../src/tokens/session-store.ts';

// Takes up a token and is killed before the given step, or in the middle of it; step 0 never comes.
const [directory = '', token = '', killAt = '0', manner = 'before'] = process.argv.slice(2);
const { steps, taken } = killedFileSteps(Number(killAt), manner);
const store = new SessionStore({
  directory,
  clock: { date: () => new Date() },
  report: (problem) => process.stderr.write(`${problem}\n`),
  steps,
});
const seed = new Secret(token);
const settings = { PLATFORM_USERNAME: 'ann', PLATFORM_PASSWORD: undefined, PLATFORM_REFRESH_TOKEN: seed };
await new ConfiguredAccount(settings, store).takeUp(seed);
process.stdout.write(`taken up in ${taken()} steps\n`);
