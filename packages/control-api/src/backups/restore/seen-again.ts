import { type Clock, pause } from '@steward/service-kit/clock';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import { comesToPass, returnMs } from '../../game/awaited.ts';
import type { GameBridge } from '../../game/game-bridge.ts';
import { type BridgeState, isConnected } from '../../game/state/bridge-state.ts';

/** Whether the game was seen after a restore with the farm of the backup, and what there is to say of it. */
export interface SeenAgain {
  readonly isSeen: boolean;
  readonly says: string;
}

export interface SeenParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow'>;
  readonly clock: Clock;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** Resolves once a game that is somebody else's would have dialled in, had it only lost its connection; at once where none can have. */
export async function surelyAway({
  bridge: { state, startsGame },
  clock,
  signal,
}: Pick<SeenParts, 'clock' | 'signal'> & {
  readonly bridge: Pick<GameBridge, 'state' | 'startsGame'>;
}): Promise<void> {
  const { link, selfHosted } = state;
  // Of an existing server it can be looked whether it runs, and one that is connected is refused.
  if (startsGame || selfHosted !== undefined || isConnected(link.status)) return;
  const leftMs = link.since.getTime() + returnMs - clock.date().getTime();
  // No longer by a clock that was set back.
  if (leftMs > 0) await pause(Math.min(leftMs, returnMs), clock, signal);
}

/** Waits until the game is online, and says with which farm; whatever it says, the restore is done. */
export async function seenAgain(
  farm: BackupFacts['farm'],
  { bridge, clock, withinMs, signal }: SeenParts,
): Promise<SeenAgain> {
  const seen = () => seenIn(bridge.state, farm);
  try {
    await comesToPass(() => seen() !== undefined, withinMs, {
      clock,
      follow: (changed) => bridge.follow(changed),
      signal,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return unseen('This service was stopped before the game came online again');
  }
  const late = `The game has not come online within ${withinMs / 1000} s: ${bridge.state.link.reason}. Check its log`;
  return seen() ?? unseen(late);
}

function unseen(says: string): SeenAgain {
  return { isSeen: false, says };
}

function seenIn({ link, isWhole, sections }: BridgeState, farm: BackupFacts['farm']): SeenAgain | undefined {
  const { status, farm: loaded } = sections;
  if (!isConnected(link.status) || !isWhole || status?.isOnline !== true) return undefined;
  const { farmName, season, day, year } = status;
  // Of a save with a name that is no id, as an imported one may have, only the farm's name is known.
  const isAnother =
    farm.farmId === undefined ? (farm.farmName ?? farmName) !== farmName : loaded?.farmId !== farm.farmId;
  const says = `The game is online with ${isAnother ? 'another farm, ' : ''}${farmName}, ${season} ${day} of year ${year}`;
  return { isSeen: !isAnother, says: isAnother ? `${says}: load the one that was restored` : says };
}
