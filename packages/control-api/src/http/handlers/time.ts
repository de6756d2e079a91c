import type { timeEndpoints } from '@steward/shared/api/endpoints/time';
import { gameCommand } from '../command-answers/game-command.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function timeHandlers({ bridge, reads }: HandlerParts): Handlers<keyof typeof timeEndpoints> {
  return {
    getTime: reads.getTime,
    setTime: gameCommand(bridge, 'setTime', {
      params: ({ value }) => ({ value }),
      more: ({ after }) => ({ timeOfDay: after.timeOfDay }),
      says: ({ timeOfDay }) => `The time of day is ${timeOfDay}`,
    }),
  };
}
