import { defaultSettings } from '../../settings/default-settings.ts';
import type { GameQuestions } from './game-questions.ts';

/** Leaves every join to the game's own rule, with the settings' defaults and no sidecar to ask for a ticket. */
export const gameDecides: GameQuestions = {
  mayJoin: async () => ({ decision: 'game-decides', reason: 'ownership is not enforced' }),
  visibleSlots: async ({ slots }) => ({ farmhandIds: slots.map(({ id }) => id) }),
  appTicket: async () => ({ ok: false, reason: 'this server has no sidecar to ask for an app ticket' }),
  settings: () => defaultSettings,
};
