import { lobbyVisibility, type RequestableVisibility } from '@steward/shared/wire-values';
import { PlatformFailure } from '../failure.ts';
import { failureOfEresult } from '../failure-table.ts';
import { resultCodes } from '../platform-constants.ts';
import type { LobbyData } from '../platform-session.ts';
import { exchangeMessage } from './steam-user-internals.ts';
import type { SteamUserClient, SteamUserLibrary } from './steam-user-library.ts';

const messageNumbers = { create: 6601, setData: 6609 } as const;

/** ELobbyType. */
const lobbyTypes: Readonly<Record<RequestableVisibility, number>> = {
  private: 0,
  'friends-only': 1,
  public: 2,
  invisible: 3,
};

interface LobbyResult {
  readonly eresult?: number;
  /** A fixed64, which the decoder gives as an object that prints in decimal. */
  readonly steam_id_lobby?: { toString(): string };
}

/** Creates a lobby and resolves to its id. The visibility is the one that there is. */
export async function createLobby(
  { messages }: SteamUserLibrary,
  client: SteamUserClient,
  appId: number,
  data: LobbyData,
): Promise<string> {
  const body = encode(messages, 'CMsgClientMMSCreateLobby', {
    app_id: appId,
    ...settings(data),
    cell_id: client.cellID ?? 0,
    persona_name_owner: '',
  });
  const answer = await exchangeMessage(client, messageNumbers.create, appId, body);
  const { eresult = 0, steam_id_lobby } = decode(messages, 'CMsgClientMMSCreateLobbyResponse', answer);
  const id = String(steam_id_lobby ?? 0);
  if (eresult === resultCodes.ok && id !== '0') return id;
  throw new PlatformFailure(refusal(eresult));
}

/** Replaces all that the lobby says. False when the lobby is gone. */
export async function updateLobby(
  { messages }: SteamUserLibrary,
  client: SteamUserClient,
  appId: number,
  lobbyId: string,
  data: LobbyData,
): Promise<boolean> {
  const body = encode(messages, 'CMsgClientMMSSetLobbyData', {
    app_id: appId,
    steam_id_lobby: lobbyId,
    steam_id_member: '0',
    ...settings(data),
  });
  const answer = await exchangeMessage(client, messageNumbers.setData, appId, body);
  const { eresult = 0 } = decode(messages, 'CMsgClientMMSSetLobbyDataResponse', answer);
  if (eresult === resultCodes.ok) return true;
  // A lobby that has another owner by now is as lost as one that is gone.
  if (eresult === resultCodes.noMatch || eresult === resultCodes.accessDenied) return false;
  throw new PlatformFailure(refusal(eresult));
}

function settings({ maxMembers, metadata }: LobbyData) {
  return {
    max_members: maxMembers,
    lobby_type: lobbyTypes[lobbyVisibility],
    lobby_flags: 0,
    metadata: encodeLobbyMetadata(metadata),
  };
}

function refusal(eresult: number) {
  if (eresult !== resultCodes.accessDenied) return failureOfEresult(eresult);
  return { ...failureOfEresult(eresult), reason: 'The platform account may not open a lobby for this game' };
}

function encode(messages: SteamUserLibrary['messages'], type: string, message: object): Uint8Array {
  return typeOf(messages, type).encode(message).finish();
}

function decode(messages: SteamUserLibrary['messages'], type: string, bytes: Buffer): LobbyResult {
  return typeOf(messages, type).decode(bytes) as LobbyResult;
}

function typeOf(messages: SteamUserLibrary['messages'], type: string) {
  const found = messages[type];
  if (found === undefined) throw new Error(`steam-user has no message type ${type}`);
  return found;
}

/** The marks of the platform's binary key values that a lobby's metadata needs. */
const marks = { object: 0, string: 1, end: 8 } as const;

/** Metadata as the platform keeps it: an object without a name, holding texts that end at a zero byte. */
function encodeLobbyMetadata(metadata: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(metadata).map(([key, value]) =>
    Buffer.concat([Buffer.of(marks.string), Buffer.from(`${key}\0${value}\0`, 'utf8')]),
  );
  return Buffer.concat([Buffer.of(marks.object, 0), ...entries, Buffer.of(marks.end, marks.end)]);
}
