import { isDeepStrictEqual } from 'node:util';
import type { AnswerOf } from '@steward/shared/api/answers';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { SelfHosted } from '../../game/state/bridge-state.ts';
import type { SettingsView } from '../../settings/settings.ts';

/** Another server's own, with nothing waiting that anybody here knows of. */
export function settingsThere({ settings }: SelfHosted) {
  return { ...settings, waiting: { newGame: [], restart: [] } };
}

export function settingsOf(view: SettingsView): AnswerOf<'getSettings'> {
  return {
    game: view.effective.game,
    server: view.effective.server,
    waiting: waitingOf(view),
    ...(view.unreadable === undefined
      ? {}
      : { problem: `The settings file cannot be read: ${view.unreadable}` }),
  };
}

export function waitingOf({ effective, madeFrom, inGame }: SettingsView): AnswerOf<'getSettings'>['waiting'] {
  return {
    newGame: madeFrom === undefined ? [] : differing('game', effective.game, madeFrom),
    restart: inGame === undefined ? [] : differing('server', effective.server, inGame),
  };
}

function differing<Section extends GameSettings['game'] | GameSettings['server']>(
  prefix: string,
  wanted: Section,
  present: Section,
): string[] {
  const known = new Map(Object.entries(present));
  return Object.entries(wanted)
    .filter(([name, value]) => !isDeepStrictEqual(value, known.get(name)))
    .map(([name]) => `${prefix}.${name}`);
}
