type Write = (facts: object, message: string) => void;

/** What is asked of a logger; pino’s fits. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
