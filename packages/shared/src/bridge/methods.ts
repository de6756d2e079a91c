import { z } from 'zod';
import { humanText, int64Text, lobbyVisibility, requestableVisibility, uint64Text } from '../wire-values.ts';
import { eventParams } from './events.ts';
import { farmsResult, screenshotResult } from './farms.ts';
import { helloParams, helloResult } from './hello.ts';
import { claimParams, claimResult, journalParams, journalResult } from './outcome.ts';
import { playerTextUnits } from './ranges.ts';
import { farmhandSlot, stateParams, tickParams } from './state.ts';

const connectionId = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'As the transport names it: SN_…, GN_…, L_…' });

const address = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'Over direct IP: the address that the connection comes from, without a port' });

/** To whom is refused, in words for them. */
const message = humanText(playerTextUnits)
  .optional()
  .meta({ description: 'Shown to the player; absent if there is no message' });

/** May this connection take this farmhand? */
export const mayJoinParams = z.object({
  connectionId,
  slot: farmhandSlot,
  declaredStamp: uint64Text.optional().meta({
    description: 'The user id that the client declares, in network-id space; absent over direct IP',
  }),
  address,
});

const mayJoinResult = z.object({
  decision: z.enum(['allow', 'refuse', 'game-decides']).meta({
    description: "`game-decides`: the game's own comparison of stamp and declared id applies",
  }),
  reason: z.string().meta({ description: 'For the log; never shown to the client' }),
  message,
});

/** Which of these slots may this connection see? */
export const visibleSlotsParams = z.object({
  connectionId,
  slots: z.array(farmhandSlot).max(1_000),
  address,
});

const visibleSlotsResult = z.object({
  farmhandIds: z
    .array(int64Text)
    .meta({ description: 'The slots from the question that may be offered, in its order' }),
  message,
});

/** Which visibility for this lobby? */
export const lobbyVisibilityParams = z.object({
  site: z.enum(['platform', 'network']),
  requested: requestableVisibility,
});

export const lobbyVisibilityResult = z.object({ visibility: z.literal(lobbyVisibility) });

/** An app ticket, please. */
export const appTicketParams = z.object({});

export const appTicketResult = z.object({
  ticket: z.base64().min(1).meta({ description: 'The encrypted app ticket, base64' }),
  platformId: uint64Text,
});

export type MayJoinParams = z.infer<typeof mayJoinParams>;
export type MayJoinResult = z.infer<typeof mayJoinResult>;
export type VisibleSlotsParams = z.infer<typeof visibleSlotsParams>;
export type VisibleSlotsResult = z.infer<typeof visibleSlotsResult>;
export type AppTicketResult = z.infer<typeof appTicketResult>;

/** What a game asks the control API. */
export const requestsOfGame = {
  hello: { params: helloParams, result: helloResult },
  claim: { params: claimParams, result: claimResult },
  mayJoin: { params: mayJoinParams, result: mayJoinResult },
  visibleSlots: { params: visibleSlotsParams, result: visibleSlotsResult },
  lobbyVisibility: { params: lobbyVisibilityParams, result: lobbyVisibilityResult },
  appTicket: { params: appTicketParams, result: appTicketResult },
} as const;

/** What a game tells the control API. */
export const notificationsOfGame = {
  state: { params: stateParams },
  tick: { params: tickParams },
  event: { params: eventParams },
} as const;

/** What the control API asks a game, beside the commands. */
export const requestsOfControlApi = {
  journal: { params: journalParams, result: journalResult },
  farms: { params: z.object({}), result: farmsResult },
  screenshot: { params: z.object({}), result: screenshotResult },
} as const;

/** What a game need not be able to tell: it names those that it can among its capabilities. */
export const askedNames = ['farms', 'screenshot'] as const;

export type AskedName = (typeof askedNames)[number];
export type AskedResult<Name extends AskedName> = z.infer<(typeof requestsOfControlApi)[Name]['result']>;
