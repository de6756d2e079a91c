import type { SettingsFileChange } from './operation.ts';

export interface RunOptions {
  /** Requests under one key are one request; see `CommandResult` for what a reused key gives. */
  readonly idempotencyKey?: string | undefined;
  /** What the caller asked for, where that is not the command itself. */
  readonly request?: unknown;
  /** What of the settings file is to be changed when the game has applied the command, also where it tells so late. */
  readonly settingsAsked?: SettingsFileChange | undefined;
  /** Sent to a game that is known to stand still, too: it may yet come to it. */
  readonly alsoIfFrozen?: boolean;
}

export interface SettingsWrittenOptions extends RunOptions {
  /** The operation that told the game of it. */
  readonly operationId?: string | undefined;
}
