import type { playerEndpoints } from '@steward/shared/api/endpoints/players';
import { gameCommand } from '../command-answers/game-command.ts';
import { subjectOf, targetOf } from '../command-answers/subject.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function playerHandlers({ bridge, reads }: HandlerParts): Handlers<keyof typeof playerEndpoints> {
  return {
    listPlayers: reads.listPlayers,
    getInviteCode: reads.getInviteCode,
    grantAdmin: gameCommand(bridge, 'grantAdmin', {
      params: (query) => ({ target: targetOf(query) }),
      more: ({ query, outcome }) => subjectOf(outcome, query),
      says: ({ playerName, playerIdStr }) => `${playerName || playerIdStr} is an admin`,
    }),
  };
}
