import type { CommandResult } from '../game/operations/operation.ts';

/** The settings file could not be changed, in words for whoever asked. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
  readonly code: 'settings-unreadable' | 'settings-unwritable';
  /** Under which the game was told of the change nevertheless, where it was. */
  readonly operationId: string | undefined;

  constructor(code: SettingsFileError['code'], message: string, operationId?: string) {
    super(message);
    this.code = code;
    this.operationId = operationId;
  }
}

/** The game has not applied a change of settings, and the file is as it was. */
export class SettingsNotApplied extends Error {
  override readonly name = 'SettingsNotApplied';
  readonly result: CommandResult;

  constructor(result: CommandResult) {
    super(result.kind === 'unavailable' ? result.reason : `the game was not told of it: ${result.kind}`);
    this.result = result;
  }
}
