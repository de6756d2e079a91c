import { constants } from 'node:os';

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

/** What Node says instead where libuv has no name for what the system says, such as EDQUOT. */
const nameless = /^(UNKNOWN$|Unknown system error )/;

/** What the system names an error by, or else Node, such as ENOENT; undefined for one without. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error) || error.code === undefined) return undefined;
  const code = String(error.code);
  const errno = nameless.test(code) && 'errno' in error ? -Number(error.errno) : undefined;
  const [name = code] = Object.entries(constants.errno).find(([, number]) => number === errno) ?? [];
  return name;
}

/** The same; of an error without a code, such as that of a damaged database, what it says. */
export function codeOrWords(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Why something failed, by its last cause: of a host with two addresses the first failure, as the error around both has no words. */
export function causeInWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return causeInWords(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return causeInWords(error.errors[0]);
  return error.message === '' ? (errorCode(error) ?? error.name) : error.message;
}

/** A disk that is full, its quota used up, or a file as large as one may be there. */
export function isOutOfRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error) ?? '');
}

/** For the end of a sentence; nothing for an error without a code. */
export function codeInBrackets(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? '' : ` (${code})`;
}
