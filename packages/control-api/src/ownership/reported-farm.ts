import type { FarmhandSlot } from '@steward/shared/bridge/state';
import { type BridgeState, isConnected } from '../game/state/bridge-state.ts';
import type { FarmSlots } from './ownership-register.ts';

type Farm = BridgeState['sections']['farm'];

/** A farm that the game has loaded, once all of it is known. */
export interface LoadedFarm extends FarmSlots {
  readonly slots: readonly FarmhandSlot[];
  readonly players: readonly { readonly id: string; readonly connectionId: string }[];
}

/**
 * The farm that the game has told of. A game that goes on to another farm may name it before it shows what is on it: what it
 * showed of the farm before says nothing of this one.
 */
export class ReportedFarm {
  #state: BridgeState | undefined;
  /** The farm as it was told on an earlier connection; the first one that this connection tells of is no change. */
  #heldOver: BridgeState['sections']['farm'];
  #before: BridgeState['sections'] = {};

  saw(state: BridgeState): void {
    const last = this.#state;
    this.#state = state;
    const { game, sections } = state;
    if (last === undefined || game !== last.game) {
      this.#heldOver = sections.farm;
      this.#before = {};
    } else if (last.sections.farm !== this.#heldOver && isAnother(last.sections.farm, sections.farm)) {
      this.#before = last.sections;
    }
  }

  get farm(): LoadedFarm | undefined {
    if (this.#state === undefined) return undefined;
    const { farmhands, status } = this.#state.sections;
    const isShown = farmhands !== this.#before.farmhands && status !== this.#before.status;
    return loadedFarm(this.#state, isShown);
  }
}

function isAnother(before: Farm, now: Farm): boolean {
  return before?.farmId !== now?.farmId;
}

/**
 * The farm as the connected game has told of it, all of it, on this connection; `isShown` where the slots and the status are
 * those of this farm, and of no other that was loaded before.
 */
function loadedFarm({ link, isWhole, sections }: BridgeState, isShown: boolean): LoadedFarm | undefined {
  const { farm, farmhands, players = [], status } = sections;
  if (!isConnected(link.status) || !isWhole || !farm || farmhands === undefined) return undefined;
  const isComplete = isShown && status?.isOnline === true && farmhands.length > 0;
  return { ...farm, slots: farmhands, players, isComplete };
}
