import { z } from 'zod';
import { farmCreationSettings, serverSettings } from '../../bridge/settings.ts';
import type { settingsEndpoints } from '../endpoints/settings.ts';
import { type Answers, changed } from './parts.ts';

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

const settings = z
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

const someSettings = serverSettings.partial();

export const settingsAnswers = {
  getSettings: { 200: settings },
  changeSettings: {
    200: z
      .object({
        ...changed,
        before: someSettings.meta({ description: 'The named settings, as they were' }),
        after: someSettings.meta({ description: 'The named settings, as they are' }),
        waiting: waitingSettings,
      })
      .meta({ id: 'SettingsChanged' }),
  },
} satisfies Record<keyof typeof settingsEndpoints, Answers>;
