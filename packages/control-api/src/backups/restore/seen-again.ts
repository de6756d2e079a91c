import type { Clock } from '@steward/service-kit/clock';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
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

/** Waits until the game is online, and says with which farm; whatever it says, the restore is done. */
export function seenAgain(farm: BackupFacts['farm'], parts: SeenParts): Promise<SeenAgain> {
  const { bridge, clock, withinMs, signal } = parts;
  const { promise, resolve } = Promise.withResolvers<SeenAgain>();
  const look = (state: BridgeState) => {
    const seen = seenIn(state, farm);
    if (seen !== undefined) resolve(seen);
  };
  const unseen = (says: string) => resolve({ isSeen: false, says });
  const timer = clock.after(withinMs, () =>
    unseen(
      `The game has not come online within ${withinMs / 1000} s: ${bridge.state.link.reason}. Check its log`,
    ),
  );
  const stopped = () => unseen('This service was stopped before the game came online again');
  signal.addEventListener('abort', stopped);
  const end = bridge.follow(look);
  look(bridge.state);
  if (signal.aborted) stopped();
  return promise.finally(() => {
    end();
    timer.cancel();
    signal.removeEventListener('abort', stopped);
  });
}

function seenIn({ link, isWhole, sections }: BridgeState, farm: BackupFacts['farm']): SeenAgain | undefined {
  const { status, farm: loaded } = sections;
  if (!isConnected(link.status) || !isWhole || status?.isOnline !== true) return undefined;
  const isAnother = farm.farmId !== undefined && loaded?.farmId !== farm.farmId;
  const { farmName, season, day, year } = status;
  const says = `The game is online with ${isAnother ? 'another farm, ' : ''}${farmName}, ${season} ${day} of year ${year}`;
  return { isSeen: !isAnother, says: isAnother ? `${says}: load the one that was restored` : says };
}
