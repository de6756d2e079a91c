import type { AppliedOutcome, CommandOutcome, JournalEntry } from '@steward/shared/bridge/outcome';
import { journalLength } from '@steward/shared/bridge/protocol';
import type { Parsed } from '@steward/shared/parsed';
import type { Farm } from '../farm/farm.ts';
import type { World } from '../world/world.ts';
import type { BoundCommand } from './all-commands.ts';
import { notApplied, type Outcome } from './game-command.ts';

// More than any operator has in flight; beyond it, callers are told to come back.
const mostInHand = 200;

export type AskForClaim = (command: string, granted: (answer: Parsed<boolean>) => void) => void;
type Answer = (outcome: CommandOutcome) => void;

interface InHand {
  readonly answers: Answer[];
  /** The claim was granted: whatever happens to the connection, this is applied. */
  working: boolean;
}

/** Takes commands in, claims each before it is applied, and applies none twice. Its work is done by the farm's loop. */
export class CommandDesk {
  readonly #farm: Farm;
  readonly #journal: Journal;
  readonly #claim: AskForClaim;
  readonly #inHand = new Map<string, InHand>();

  constructor(farm: Farm, claim: AskForClaim) {
    this.#farm = farm;
    this.#journal = new Journal(farm.world);
    this.#claim = claim;
  }

  get pending(): number {
    return this.#inHand.size;
  }

  take(id: string, command: BoundCommand, answer: Answer): void {
    const recorded = this.#journal.outcomeOf(id);
    const known = this.#inHand.get(id);
    if (recorded !== undefined) answer(recorded);
    else if (known !== undefined) known.answers.push(answer);
    else if (this.#inHand.size >= mostInHand) answer(notApplied('busy', 'Too many commands in hand'));
    else {
      const inHand = { answers: [answer], working: false };
      this.#inHand.set(id, inHand);
      this.#farm.schedule.after(0, () => this.#begin(id, inHand, command));
    }
  }

  entries(ids: readonly string[]): JournalEntry[] {
    return ids.map((command) => {
      const outcome = this.#journal.outcomeOf(command);
      if (outcome !== undefined) return { command, state: 'applied', outcome };
      const inHand = this.#inHand.get(command);
      if (inHand?.working === true) return { command, state: 'working' };
      // Absent is a promise: what has no claim by now is given up, though one be granted later.
      if (inHand !== undefined) this.#answer(command, inHand, { outcome: 'void' });
      return { command, state: 'absent' };
    });
  }

  /** Nobody will grant what has not been granted yet. */
  connectionLost(): void {
    for (const [id, { working }] of this.#inHand) {
      if (!working) this.#inHand.delete(id);
    }
  }

  /** What was in hand has died with the process. */
  crash(): void {
    this.#inHand.clear();
  }

  #begin(id: string, inHand: InHand, command: BoundCommand): void {
    if (!this.#isInHand(id, inHand)) return;
    const refusal = command.refusal(this.#farm);
    if (refusal !== undefined) {
      this.#answer(id, inHand, refusal);
      return;
    }
    this.#claim(id, (answer) => {
      if (!this.#isInHand(id, inHand)) return;
      if (!answer.ok || !answer.value) {
        this.#answer(id, inHand, { outcome: 'void' });
        return;
      }
      inHand.working = true;
      this.#farm.schedule.after(0, () =>
        this.#farm.dayCycle.whenReady(() => this.#apply(id, inHand, command)),
      );
    });
  }

  #apply(id: string, inHand: InHand, command: BoundCommand): void {
    if (!this.#isInHand(id, inHand)) return;
    const refusal = command.refusal(this.#farm);
    if (refusal !== undefined) {
      this.#answer(id, inHand, refusal);
      return;
    }
    command.apply(this.#farm, (outcome) => this.#done(id, inHand, outcome));
  }

  #done(id: string, inHand: InHand, outcome: Outcome): void {
    if (!this.#isInHand(id, inHand)) return;
    if (outcome.outcome === 'applied') this.#journal.record(id, outcome);
    // Told in a step of its own: by then a save that this outcome is part of is on disk.
    this.#farm.schedule.after(0, () => {
      if (this.#isInHand(id, inHand)) this.#answer(id, inHand, outcome);
    });
  }

  #answer(id: string, inHand: InHand, outcome: CommandOutcome): void {
    this.#inHand.delete(id);
    for (const answer of inHand.answers) answer(outcome);
  }

  #isInHand(id: string, inHand: InHand): boolean {
    return this.#inHand.get(id) === inHand;
  }
}

/** What was applied to the farm as it stands. It lives in the save and goes back with it. */
class Journal {
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
