import { statusSection } from '@steward/shared/bridge/state/status';
import { type GameUpdate, gameUpdateState } from '@steward/shared/sidecar/game-update';
import { timestamp, timestampOf } from '@steward/shared/timestamp';
import { z } from 'zod';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { isConnected } from '../../game/state/link-state.ts';
import { capabilitiesOf } from '../../status/capabilities.ts';
import type { FarmView } from '../../status/farm-view.ts';
import { keepsNobodyOut, obstacle, obstaclesOf } from '../../status/obstacles.ts';
import { unreadFile } from '../../store/unread-files.ts';
import { inviteWay } from './invite-way.ts';

export const snapshotVersion = z
  .int()
  .min(0)
  .meta({ description: 'Grows with each change that the game tells; 0 before the first' });

type Status = z.infer<typeof statusSection>;

/** What is said before a game has said anything. */
const noStatus: Status = {
  playerCount: 0,
  maxPlayers: 4,
  serverVersion: '',
  gameVersion: '',
  isOnline: false,
  isReady: false,
  dayTransitionComplete: false,
  isPaused: false,
  farmName: '',
  farmTypeKey: '',
  day: 0,
  season: '',
  year: 0,
  timeOfDay: 0,
};

/** The status as it is now: of a game that is gone, nobody is online any more, and one that is frozen takes nobody. */
export function currentStatus({ sections, link }: BridgeState): Status {
  const status = sections.status ?? noStatus;
  if (link.status === 'frozen') return { ...status, isReady: false };
  if (isConnected(link.status)) return status;
  return { ...status, isOnline: false, isReady: false, isPaused: false, playerCount: 0 };
}

export const statusAnswer = statusSection
  .extend({
    steamInviteCode: z.string().optional().meta({ description: 'Leads through the primary platform' }),
    gogInviteCode: z.string().optional().meta({ description: 'Leads through the cross-platform network' }),
    lastUpdated: z
      .union([timestamp, z.literal('')])
      .meta({ description: 'When the game last told something; empty before it did' }),
    version: snapshotVersion,
    isJoinable: z.boolean().meta({ description: 'Players can join now' }),
    obstacles: z
      .array(obstacle)
      .meta({ description: 'Why they cannot, if they cannot; and what else is lost' }),
    inviteWay,
    capabilities: z.array(z.string()).meta({
      description: 'What can be asked for now, as operations are named; a request for anything else is 501',
    }),
    gameUpdate: z
      .object({
        state: gameUpdateState,
        since: timestamp,
        checkedAt: timestamp.optional().meta({ description: 'When the platform answered last' }),
        reason: z.string().optional(),
        remedy: z.string().optional(),
      })
      .optional()
      .meta({
        description:
          'Whether the platform has another build of the game than GAME_DIR, as the sidecar says; absent where there is no sidecar, and while the files are not whole',
      }),
    unreadFiles: z
      .array(unreadFile)
      .optional()
      .meta({ description: 'Files that a newer version wrote; absent when there is none' }),
  })
  .meta({ id: 'Status' });

export function statusOf(view: FarmView): z.infer<typeof statusAnswer> {
  const { state, way, unread } = view;
  const { platform, network } = way.codes;
  const obstacles = obstaclesOf(view);
  return {
    ...currentStatus(state),
    ...(platform === undefined ? {} : { steamInviteCode: platform }),
    ...(network === undefined ? {} : { gogInviteCode: network }),
    lastUpdated: state.pushedAt === undefined ? '' : timestampOf(state.pushedAt),
    version: state.version,
    isJoinable: obstacles.every(keepsNobodyOut),
    obstacles,
    inviteWay: [...way.steps],
    capabilities: capabilitiesOf(state),
    ...(way.gameUpdate === undefined ? {} : { gameUpdate: updateOf(way.gameUpdate) }),
    ...(unread.length === 0 ? {} : { unreadFiles: [...unread] }),
  };
}

export const timeAnswer = statusSection
  .pick({ timeOfDay: true, day: true, season: true, year: true, isPaused: true })
  .extend({ version: snapshotVersion })
  .meta({ id: 'Time' });

export function timeOf(state: BridgeState): z.infer<typeof timeAnswer> {
  const { timeOfDay, day, season, year, isPaused } = currentStatus(state);
  return { timeOfDay, day, season, year, isPaused, version: state.version };
}

function updateOf({ checked_at: checkedAt, ...rest }: GameUpdate) {
  return { ...rest, ...(checkedAt === undefined ? {} : { checkedAt }) };
}
