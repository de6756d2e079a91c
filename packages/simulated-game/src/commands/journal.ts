import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { journalLength } from '@steward/shared/bridge/protocol';
import type { World } from '../world/world.ts';

/** What was applied to the farm as it stands. It lives in the save and goes back with it. */
export class Journal {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  outcomeOf(command: string): AppliedOutcome | undefined {
    return this.#world.state.journal.find((entry) => entry.command === command)?.outcome;
  }

  record(command: string, outcome: AppliedOutcome): void {
    const { journal } = this.#world.state;
    journal.push({ command, outcome });
    if (journal.length > journalLength) journal.splice(0, journal.length - journalLength);
  }
}
