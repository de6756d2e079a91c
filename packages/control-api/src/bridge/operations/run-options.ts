export interface RunOptions {
  /** Requests under one key are one request; see `CommandResult` for what a reused key gives. */
  readonly idempotencyKey?: string | undefined;
  /** What the caller asked for, where that is not the command itself. */
  readonly request?: unknown;
}

export interface SettingsWrittenOptions extends RunOptions {
  /** The operation that told the game of it. */
  readonly operationId?: string | undefined;
}
