import { constants } from 'node:os';
import { endWithReader } from '@steward/service-kit/process/ending';
import { exitCode, OperatorError } from '@steward/service-kit/process/errors';
import { drive, reportLines, summary } from './conformance.ts';
import { type Bench, ListenBench, SpawnBench } from './driver/bench.ts';
import { usualPatience } from './driver/patience.ts';
import { type Options, readOptions, usage } from './options.ts';

/** Above this an exit code says which signal it was, as shells have it. */
const endedBySignal = 128;

endWithReader();
try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(usage);
  else process.exitCode = await check(options);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  for (const line of error.lines) process.stderr.write(`bridge-conformance: ${line}\n`);
  // 1 would say that a rule is broken.
  process.exitCode = exitCode.usage;
}

async function check(options: Options): Promise<number> {
  const bench = await openBench(options);
  endWithout(bench);
  const act = bench.mode === 'listen' ? 'waiting for a game to connect' : 'starting';
  process.stdout.write(`Game bridge conformance: ${act} ${bench.where}\n\n`);
  const findings = await drive(bench, options.rules, usualPatience, {
    ticket: options.ticket,
    found: (finding) => process.stdout.write(reportLines(finding)),
  });
  process.stdout.write(`\n${summary(findings)}`);
  return findings.some(({ verdict }) => verdict === 'broken') ? exitCode.failure : exitCode.ok;
}

/** A check that is ended from outside ends its game, too; 1 would say again that a rule is broken. */
function endWithout(bench: Bench): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(
      signal,
      () => void bench.close().finally(() => process.exit(endedBySignal + constants.signals[signal])),
    );
}

async function openBench({ reach, secret }: Options): Promise<Bench> {
  return 'spawn' in reach ? new SpawnBench(reach.spawn) : ListenBench.open({ ...reach.listen }, secret);
}
