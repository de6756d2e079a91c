import type { AnswerOf } from '@steward/shared/api/answers';
import type { statusSection } from '@steward/shared/bridge/state';
import { troubleText } from '@steward/shared/problems/trouble';
import type { GameUpdate } from '@steward/shared/sidecar/download';
import { timestampOf } from '@steward/shared/wire-values';
import type { z } from 'zod';
import { type BridgeState, isConnected, isCurrent } from '../../game/state/bridge-state.ts';
import { capabilitiesOf, type FarmView } from '../../status/farm-view.ts';
import { isJoinable, obstaclesOf, whatCodesLack } from '../../status/obstacles.ts';

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
export function currentStatus(state: BridgeState): Status {
  const { sections, link } = state;
  const status = sections.status ?? noStatus;
  if (!isCurrent(state))
    return { ...status, isOnline: false, isReady: false, isPaused: false, playerCount: 0 };
  return link.status === 'frozen' ? { ...status, isReady: false } : status;
}

export function statusOf(view: FarmView): AnswerOf<'getStatus'> {
  const { instance, state, invites, newerFiles, emptySince } = view;
  const { platform, network } = invites.codes;
  const obstacles = obstaclesOf(view);
  return {
    ...currentStatus(state),
    ...(instance === '' ? {} : { instance }),
    ...(platform === undefined ? {} : { steamInviteCode: platform }),
    ...(network === undefined ? {} : { gogInviteCode: network }),
    lastUpdated: state.pushedAt === undefined ? '' : timestampOf(state.pushedAt),
    version: state.version,
    isJoinable: isJoinable(view, obstacles),
    obstacles,
    inviteWay: [...invites.steps],
    ...(emptySince === undefined ? {} : { emptySince: timestampOf(emptySince) }),
    capabilities: capabilitiesOf(state),
    ...(view.draining === undefined ? {} : { draining: view.draining }),
    ...(invites.gameUpdate === undefined ? {} : { gameUpdate: updateOf(invites.gameUpdate) }),
    ...(newerFiles.length === 0 ? {} : { unreadFiles: [...newerFiles] }),
  };
}

export function timeOf(state: BridgeState): AnswerOf<'getTime'> {
  const { timeOfDay, day, season, year, isPaused } = currentStatus(state);
  return { timeOfDay, day, season, year, isPaused, version: state.version };
}

function updateOf({ checked_at: checkedAt, ...rest }: GameUpdate) {
  return { ...rest, ...(checkedAt === undefined ? {} : { checkedAt }) };
}

const noStats: AnswerOf<'getStats'> = {
  fps: 0,
  tps: 0,
  targetTps: 60,
  avgTickMs: 0,
  memoryMb: 0,
  gcGen0: 0,
  gcGen1: 0,
  gcGen2: 0,
  pendingActions: 0,
  gameThreadWaitMs: 0,
};

/** A game that is gone does nothing any more. */
export function statsOf(state: BridgeState): AnswerOf<'getStats'> {
  const { sections, statsAt } = state;
  const { stats } = sections;
  if (stats === undefined || statsAt === undefined || !isCurrent(state)) return noStats;
  return { ...stats, startedAtUtc: timestampOf(statsAt.getTime() - stats.uptimeSeconds * 1_000) };
}

export function renderingOf({ sections }: BridgeState): AnswerOf<'getRendering'> {
  return { fps: sections.rendering?.fps ?? 0 };
}

export function inviteCodeOf(view: FarmView): AnswerOf<'getInviteCode'> {
  const { platform, network } = view.invites.codes;
  const code = platform ?? network;
  return code === undefined ? { error: whyNone(view) } : { inviteCode: code };
}

function whyNone({ state, invites }: FarmView): string {
  const { link, sections, isWhole } = state;
  if (!isConnected(link.status)) return `There is no invite code: ${link.reason}`;
  if (!isWhole) return 'There is no invite code: the game has not sent its complete state yet';
  if (sections.status?.isOnline !== true) return 'There is no invite code: no farm is loaded';
  return `There is no invite code: ${troubleText(whatCodesLack({ state, invites }) ?? { reason: 'it is not ready yet' })}`;
}
