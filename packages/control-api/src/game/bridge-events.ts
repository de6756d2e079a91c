import { type GameEvent, gameEvent, isGameEventKind } from '@steward/shared/bridge/events';
import { linkStatus } from '@steward/shared/bridge/protocol';
import { isChatCommand } from '@steward/shared/chat/line';
import { chatScopes } from '@steward/shared/chat/rules';
import { isBlank } from '@steward/shared/text';
import { z } from 'zod';

/** Between two of the game's events something may be missing: the link says when. */
const linkEvent = z.object({ kind: z.literal('link'), status: linkStatus, why: z.string() });

/** A step of the invite code's way has come into another state. */
const inviteStepEvent = z.object({
  kind: z.literal('inviteWay'),
  step: z.string(),
  from: z.string(),
  to: z.string(),
  reason: z.string(),
});

/** The invite codes that work from now on. */
const codesEvent = z.object({
  kind: z.literal('inviteCodes'),
  platform: z.string().exactOptional(),
  network: z.string().exactOptional(),
});

const ownEvent = z.discriminatedUnion('kind', [linkEvent, inviteStepEvent, codesEvent]);

export type BridgeEvent = Readonly<GameEvent | z.infer<typeof ownEvent>>;

export type ChatEvent = Extract<BridgeEvent, { kind: 'chat' }>;

/** Whether the game told it, and not this side of the bridge. */
export function isOfTheGame(event: BridgeEvent): event is GameEvent {
  return isGameEventKind(event.kind);
}

/** What may leave the game, and be kept. Bots show what they hear to others. */
export function isPublicChat(event: BridgeEvent): event is ChatEvent {
  return event.kind === 'chat' && !isBlank(event.message) && !isChatCommand(event.message);
}

/** What readers choose by. */
const topics = {
  chat: 'chat',
  playerJoined: 'players',
  playerLeft: 'players',
  dayStarted: 'farm',
  dayEnded: 'farm',
  saved: 'farm',
  slotCustomized: 'farmhands',
  slotAbandoned: 'farmhands',
  slotDeleted: 'farmhands',
  networkSignedIn: 'invites',
  networkSignedOut: 'invites',
  lobbyOpened: 'invites',
  lobbyClosed: 'invites',
  inviteWay: 'invites',
  inviteCodes: 'invites',
  link: 'game',
} as const satisfies Record<BridgeEvent['kind'], string>;

/** What a key has to be good for that hears of them; those without a row are told to nobody yet. */
export const topicScopes = { chat: chatScopes.hear } as const;

/** How events are kept, and read again by this version or a later one. */
export const bridgeEvents = {
  topicOf: (event: BridgeEvent): string | undefined =>
    event.kind === 'chat' && !isPublicChat(event) ? undefined : topics[event.kind],
  read: (body: unknown): BridgeEvent | undefined =>
    gameEvent.safeParse(body).data ?? ownEvent.safeParse(body).data,
};
