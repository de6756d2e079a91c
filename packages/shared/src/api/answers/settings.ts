import { z } from 'zod';
import { farmCreationSettings, serverSettings } from '../../bridge/settings.ts';
import type { settingsEndpoints } from '../endpoints/settings.ts';
import { type Answers, changed } from './parts.ts';

const names = z.array(z.string());

export const waitingSettings = z
  .object({
    newGame: names.meta({
      description:
        'Different from the settings that the farm was created with, as far as this service knows; an existing farm keeps those',
    }),
    restart: names.meta({ description: 'Not in effect in the running game, as far as it has reported' }),
  })
  .meta({
    id: 'WaitingSettings',
    description: 'Settings that are not in effect yet, and what they wait for',
  });

const settings = z
  .object({
    game: farmCreationSettings.partial().meta({
      description: 'The settings for a new farm; with GAME_BRIDGE=existing what that server reports',
    }),
    server: serverSettings
      .partial()
      .meta({ description: 'All settings; with GAME_BRIDGE=existing what that server reports' }),
    waiting: waitingSettings,
    problem: z
      .string()
      .optional()
      .meta({ description: 'Why the file is ignored and these are the defaults' }),
  })
  .meta({ id: 'Settings' });

const someSettings = serverSettings.partial();

export const settingsAnswers = {
  getSettings: { 200: settings },
  changeSettings: {
    200: z
      .object({
        ...changed,
        before: someSettings.meta({ description: 'The named settings before the change' }),
        after: someSettings.meta({ description: 'The named settings after the change' }),
        waiting: waitingSettings,
      })
      .meta({ id: 'SettingsChanged' }),
  },
} satisfies Record<keyof typeof settingsEndpoints, Answers>;
