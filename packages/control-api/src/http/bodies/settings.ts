import { isDeepStrictEqual } from 'node:util';
import { farmCreationSettings, type GameSettings, serverSettings } from '@steward/shared/bridge/settings';
import { z } from 'zod';
import type { SelfHosted } from '../../game/state/self-hosted.ts';
import type { SettingsView } from '../../settings/settings.ts';

const names = z.array(z.string());

export const waitingSettings = z
  .object({
    newGame: names.meta({
      description:
        'Other than what the farm was made from, as far as this service has seen; a farm that exists keeps that',
    }),
    restart: names.meta({ description: 'Not in effect in the running game, as far as it has said' }),
  })
  .meta({
    id: 'WaitingSettings',
    description: 'Settings that are not in effect yet, and what they wait for',
  });

export const settingsAnswer = z
  .object({
    game: farmCreationSettings.partial().meta({
      description: 'What a new farm is made from; with GAME_BRIDGE=existing what that server tells of it',
    }),
    server: serverSettings
      .partial()
      .meta({ description: 'All of it; with GAME_BRIDGE=existing what that server tells' }),
    waiting: waitingSettings,
    problem: z
      .string()
      .optional()
      .meta({ description: 'Why the file counts for nothing and these are the defaults' }),
  })
  .meta({ id: 'Settings' });

/** Another server's own, with nothing waiting that anybody here knows of. */
export function settingsThere({ settings }: SelfHosted) {
  return { ...settings, waiting: { newGame: [], restart: [] } };
}

export function settingsOf(view: SettingsView): z.infer<typeof settingsAnswer> {
  return {
    game: view.effective.game,
    server: view.effective.server,
    waiting: waitingOf(view),
    ...(view.unreadable === undefined
      ? {}
      : { problem: `The settings file cannot be read: ${view.unreadable}` }),
  };
}

export function waitingOf({ effective, madeFrom, inGame }: SettingsView): z.infer<typeof waitingSettings> {
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
