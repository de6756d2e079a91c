type Write = (facts: object, message: string) => void;

/** What the bridge asks of a logger; pino's fits. */
export interface BridgeLog {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
