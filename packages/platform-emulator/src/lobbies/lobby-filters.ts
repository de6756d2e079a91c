import { decodeStrings } from '../wire/key-values.ts';
import type { Lobby } from './lobbies.ts';

/** CMsgClientMMSGetLobbyList.Filter, in steammessages_clientserver_mms.proto (the spelling is the platform's). */
export interface LobbyFilter {
  key?: string;
  value?: string;
  comparision?: number;
  filter_type?: number;
}

/** ELobbyFilterType; those that only sort (near value, distance) let everything through. */
const filterTypes = { string: 0, numerical: 1, slotsAvailable: 2 } as const;

/** ELobbyComparison. */
const comparisons = new Map<number, (order: number) => boolean>([
  [-2, (order) => order <= 0],
  [-1, (order) => order < 0],
  [0, (order) => order === 0],
  [1, (order) => order > 0],
  [2, (order) => order >= 0],
  [3, (order) => order !== 0],
]);

export function passes(lobby: Lobby, filters: readonly LobbyFilter[]): boolean {
  const metadata = decodeStrings(lobby.metadata);
  return filters.every(({ key = '', value = '', comparision = 0, filter_type = filterTypes.string }) => {
    const compare = comparisons.get(comparision);
    if (compare === undefined) return false;
    const actual = metadata.get(key);
    switch (filter_type) {
      case filterTypes.slotsAvailable:
        return lobby.maxMembers - lobby.members.size >= Number(value);
      case filterTypes.numerical:
        return actual !== undefined && compare(Number(actual) - Number(value));
      case filterTypes.string:
        // A string that is not there counts as empty.
        return compare((actual ?? '').localeCompare(value));
      default:
        return true;
    }
  });
}
