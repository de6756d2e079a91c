import type { BridgeState } from '../game/state/bridge-state.ts';
import { type LoadedFarm, loadedFarm } from './known-farm.ts';

/**
 * The farm that the game has told of. A game that goes on to another farm may name it before it shows what is on it: what it
 * showed of the farm before says nothing of this one.
 */
export class FarmInSight {
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

type Farm = BridgeState['sections']['farm'];

function isAnother(before: Farm, now: Farm): boolean {
  return before?.farmId !== now?.farmId;
}
