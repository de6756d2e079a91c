import type { GameSettings } from '@steward/shared/bridge/settings';
import { readSettings } from './document.ts';
import { defaultDocument } from './edit.ts';

/** What applies where the operator has said nothing else. */
export const defaultSettings: GameSettings = defaults();

function defaults(): GameSettings {
  const parsed = readSettings(defaultDocument());
  if (!parsed.ok) throw new Error(`the defaults cannot be read: ${parsed.reason}`);
  return parsed.value.settings;
}
