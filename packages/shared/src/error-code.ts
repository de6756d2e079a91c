/** What Node names an error by, such as ENOENT; undefined for one without. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** For the end of a sentence; nothing for an error without a code. */
export function codeInBrackets(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? '' : ` (${code})`;
}
