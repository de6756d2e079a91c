import { killedFileSteps } from '@steward/service-kit/test/killed-file-steps';
import { oneMoreClaim } from './one-more-claim.ts';

// Writes one more claim and is killed before the given step, or in the middle of it; step 0 never comes.
const [directory = '', killAt = '0', manner = 'before'] = process.argv.slice(2);
const { steps, taken } = killedFileSteps(Number(killAt), manner);
await oneMoreClaim(directory, steps);
process.stdout.write(`written in ${taken()} steps\n`);
