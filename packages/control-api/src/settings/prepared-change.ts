import type { GameSettings } from '@steward/shared/bridge/settings';

/** A change that has been worked out and not yet been written. */
export interface PreparedChange {
  readonly before: GameSettings;
  readonly after: GameSettings;
  /** What the file is to hold; undefined where it holds that already. */
  readonly content: string | undefined;
}
