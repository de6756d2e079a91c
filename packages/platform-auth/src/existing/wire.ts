import { uint64Text } from '@steward/shared/ids/id-text';
import { lobbyMetadata, lobbyRequest } from '@steward/shared/sidecar/lobby';
import { z } from 'zod';

// What the existing server's mod sends, in its own spelling. Members that it may add one day are nobody's business here.

/** Its ids are bare JSON numbers far beyond what a JavaScript number holds; the body's parser kept their digits. */
const bareUint64 = z
  .union([z.int().nonnegative(), z.bigint().nonnegative()])
  .transform(String)
  .pipe(uint64Text);

export const createLobby = z.object({
  game_server_steam_id: bareUint64,
  protocol_version: lobbyRequest.shape.protocol_version,
  max_members: lobbyRequest.shape.max_members,
});

export const setLobbyData = z.object({
  lobby_id: bareUint64,
  metadata: lobbyMetadata.nullish(),
});

export const setLobbyPrivacy = z.object({
  lobby_id: bareUint64,
  privacy: z.string().nullish(),
});
