import { exitCode } from './exit-code.ts';

/** Something that the operator can mend: shown as its lines alone, without a stack trace. */
export class OperatorError extends Error {
  readonly lines: readonly string[];
  /** What the process ends with. */
  readonly exitCode: number = exitCode.failure;

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'OperatorError';
    this.lines = lines;
  }
}
