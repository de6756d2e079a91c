import { lobbyVisibility } from '@steward/shared/lobby-visibility';

/** The four questions as a farm open to all would answer them; there is no ticket to be had from a test. */
export function questionAnswer(method: string, params: Readonly<Record<string, unknown>>): object {
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
      return { error: { code: -32006, message: 'a test has no app ticket; ask again in 30 seconds' } };
  }
}
