import type { Event } from '@steward/client';
import { closingWords, operationWords, eventWords as says, words } from '../../words.ts';

/** Who it is of whom an event knows the number alone: a name comes after its player. */
export type Names = (id: bigint) => string | undefined;

/** What happened, in a line for a person. */
export function eventSays(event: Event, names: Names): string {
  switch (event.type) {
    case 'chat.said':
      return `${nameOf(event.data, names)}: ${event.data.message}`;
    case 'players.joined':
    case 'players.left':
    case 'players.kicked':
    case 'farmhands.customized':
    case 'farmhands.deleted':
    case 'farmhands.bound':
    case 'farmhands.released':
      return `${nameOf(event.data, names)} ${says[event.type]}`;
    case 'players.refused':
      // Whose farmhand it is, and not who came for it.
      return says[event.type](event.data.playerName);
    case 'farm.dayStarted':
    case 'farm.dayEnded':
      return says[event.type](words.seasons[event.data.season], event.data.day);
    case 'invites.step':
      return says[event.type](event.data.step, event.data.to);
    case 'operations.ended':
      return endSays(event.data);
    case 'sidecar.session':
      return says[event.type](event.data.state);
    case 'sidecar.download':
      return says[event.type](event.data.state, event.data.isOutdated);
    case 'server.draining':
      // A newer server knows of more steps.
      return says[event.type](closingWords.phases[event.data.phase] ?? event.data.phase);
    case 'server.drained':
      return says[event.type](event.data.isSaved);
    case 'state.changed':
      return '';
    default:
      // A newer server knows of more than this page.
      return (says as Readonly<Record<string, unknown>>)[event.type] === undefined
        ? String((event as { type: string }).type)
        : String(says[event.type]);
  }
}

/** As the operations are called where they are listed; a newer server knows of more. */
function endSays({ command, state }: { readonly command: string; readonly state: string }): string {
  const {
    commands,
    states,
  }: Record<'commands' | 'states', Readonly<Record<string, string>>> = operationWords;
  return `${commands[command] ?? command}: ${states[state] ?? state}`;
}

function nameOf({ playerName, playerId }: { playerName: string; playerId: bigint }, names: Names): string {
  return playerName || names(playerId) || says.unnamed;
}

/** Only steps that a person would want to know of. */
export function isOfNote({ type }: Event): boolean {
  return type !== 'state.changed' && type !== 'invites.step';
}
