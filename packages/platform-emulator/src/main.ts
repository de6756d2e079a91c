import { askOnce } from '@steward/service-kit/http/asking';
import { endWithReader } from '@steward/service-kit/process/ending';
import { exitCode, OperatorError } from '@steward/service-kit/process/errors';
import { readOptions, usage } from './program/options.ts';
import { type Entrance, loopbackEntrance } from './transport/addresses.ts';

/** An answer that takes longer is as bad as none. */
const answerLimitMs = 2_000;
/** What its proxy says to a request that is for no proxy. */
const proxyAnswers = 405;

endWithReader();
try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(usage);
  else if (options.check) await check(options.entrance);
  else {
    // Loaded when it is wanted: a check every few seconds should cost next to nothing.
    const { run } = await import('./program/run.ts');
    await run(options);
  }
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  for (const line of error.lines) process.stderr.write(`platform-emulator: ${line}\n`);
  process.exit(exitCode.usage);
}

/** What a container's health check runs: fails unless an emulator on this machine answers on the port. */
async function check({ port }: Entrance): Promise<void> {
  const url = `http://${loopbackEntrance.host}:${port}/`;
  const answer = await askOnce(url, answerLimitMs).catch(() => undefined);
  if (answer?.status !== proxyAnswers) throw new OperatorError(`no emulator answers at ${url}`);
}
