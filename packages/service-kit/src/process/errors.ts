/** Exit codes that every program here shares. */
export const exitCode = { ok: 0, failure: 1, usage: 2 } as const;

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

/** A command line that cannot be understood: nothing has been done. */
export class UsageError extends OperatorError {
  override readonly exitCode = exitCode.usage;
}

/** What Node names an error by, such as ENOENT; undefined for one without. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** For the end of a sentence; nothing for an error without a code. */
export function codeInBrackets(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? '' : ` (${code})`;
}
