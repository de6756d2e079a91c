import { endWithReader } from '@steward/service-kit/process/ending';
import { exitCode, OperatorError } from '@steward/service-kit/process/errors';
import { check } from './program/check.ts';
import { readOptions, usage } from './program/options.ts';

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
