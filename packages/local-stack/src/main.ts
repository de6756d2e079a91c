import { endWithReader } from '@steward/service-kit/process/ending';
import { OperatorError } from '@steward/service-kit/process/errors';
import { readOptions, usage } from './options.ts';
import { runStack } from './run-stack.ts';

endWithReader();
try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(usage);
  else await runStack(options);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  for (const line of error.lines) process.stderr.write(`steward: ${line}\n`);
  process.exit(error.exitCode);
}
