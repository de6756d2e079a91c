import { platformAccountRange } from '@steward/shared/ids';
import { lobbyVisibility } from '@steward/shared/wire-values';

const noTicket = {
  error: { code: -32006, message: 'a test without --ticket has no app ticket; ask again in 30 seconds' },
};

/** Whose the ticket is stands encrypted in it; a game that signs in reads it from nowhere else. */
const somePlatformId = platformAccountRange.min.toString();

/** The four questions as a farm open to all would answer them; a ticket is to be had when the test was given one. */
export function questionAnswer(
  method: string,
  params: Readonly<Record<string, unknown>>,
  ticket: string | undefined,
): object {
  switch (method) {
    case 'mayJoin':
      return { result: { decision: 'allow', reason: 'the test lets everybody in' } };
    case 'visibleSlots': {
      const slots = Array.isArray(params['slots']) ? (params['slots'] as { id: string }[]) : [];
      return { result: { farmhandIds: slots.map(({ id }) => id) } };
    }
    case 'lobbyVisibility':
      return { result: { visibility: lobbyVisibility } };
    default:
      return ticket === undefined ? noTicket : { result: { ticket, platformId: somePlatformId } };
  }
}
