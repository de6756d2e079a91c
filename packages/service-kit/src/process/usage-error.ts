import { exitCode } from './exit-code.ts';
import { OperatorError } from './operator-error.ts';

/** A command line that cannot be understood: nothing has been done. */
export class UsageError extends OperatorError {
  override readonly exitCode = exitCode.usage;
}
