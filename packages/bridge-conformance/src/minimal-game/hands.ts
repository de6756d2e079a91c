import { isCommandName } from '@steward/shared/bridge/commands';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { type Deed, deed, isCapability } from './deeds.ts';
import type { Fault } from './faults.ts';
import type { World } from './world.ts';

/** How long an impatient game waits for its claim. */
const impatienceMs = 200;

export interface HandsParts {
  readonly world: World;
  readonly fault: Fault | undefined;
  readonly claim: (command: string, answer: (granted: boolean) => void) => void;
  readonly answer: (id: string, result: object) => void;
  readonly unknown: (id: string, method: string) => void;
  readonly changed: () => void;
  readonly exit: () => void;
}

type Params = Readonly<Record<string, unknown>>;

/** Carries out commands by the claim rule: looked up, looked at, claimed, applied once. */
export class Hands {
  readonly #parts: HandsParts;
  /** The requests that wait for a command in hand. */
  readonly #inHand = new Map<string, string[]>();
  #dropped = false;

  constructor(parts: HandsParts) {
    this.#parts = parts;
  }

  get waiting(): boolean {
    return this.#inHand.size > 0;
  }

  get leftOver(): readonly string[] {
    return [...this.#inHand.keys()];
  }

  take(id: string, method: string, params: Params): void {
    const { fault } = this.#parts;
    if (method === 'journal')
      this.#parts.answer(id, { entries: this.#journal(params['commands'] as string[]) });
    else if (isCommandName(method)) this.#command(id, method, params);
    else if (fault !== 'mute-on-unknown') this.#parts.unknown(id, method);
  }

  /** The connection is lost: what was not granted by now never will be. */
  drop(): void {
    this.#dropped = true;
  }

  #command(id: string, method: string, { command: given, ...params }: Params): void {
    const { answer, fault, world } = this.#parts;
    const command = String(given);
    const known = fault === 'applies-twice' ? undefined : world.recall(command);
    const waiting = this.#inHand.get(command);
    if (known !== undefined) answer(id, known);
    else if (waiting !== undefined) waiting.push(id);
    else if (isCapability(method)) this.#decide(id, method, command, deed(world, method, params, fault));
    else if (fault !== 'mute-on-unsupported')
      answer(id, { outcome: 'refused', code: 'unsupported', message: `this game has no ${method}` });
  }

  #decide(id: string, method: string, command: string, looked: Deed): void {
    const { answer, claim, fault } = this.#parts;
    if ('outcome' in looked) {
      answer(id, looked);
      return;
    }
    this.#inHand.set(command, [id]);
    const apply = () => {
      // A promise given to the journal's reader, or a lost connection, has ended this command.
      if (!this.#inHand.has(command) || (this.#dropped && fault !== 'impatient')) return;
      this.#apply(method, command, looked.apply);
    };
    if (fault === 'no-claim') {
      apply();
      return;
    }
    claim(command, (granted) => {
      if (granted || fault === 'ignores-denial') apply();
      else this.#finish(command, { outcome: 'void' });
    });
    if (fault === 'impatient') setTimeout(apply, impatienceMs);
  }

  #apply(method: string, command: string, change: () => AppliedOutcome): void {
    const { changed, exit, fault, world } = this.#parts;
    const outcome = change();
    world.record(command, outcome);
    const stops = method === 'stop' && fault !== 'ignores-stop';
    if (method === 'save' || stops) world.save();
    this.#finish(command, outcome);
    changed();
    if (stops) exit();
  }

  #finish(command: string, outcome: object): void {
    for (const id of this.#inHand.get(command) ?? []) this.#parts.answer(id, outcome);
    this.#inHand.delete(command);
  }

  #journal(commands: readonly string[]): object[] {
    const { fault, world } = this.#parts;
    return commands.map((command) => {
      const outcome = fault === 'empty-journal' ? undefined : world.recall(command);
      if (outcome !== undefined) return { command, state: 'applied', outcome };
      if (fault !== 'breaks-its-promise') this.#finish(command, { outcome: 'void' });
      return { command, state: 'absent' };
    });
  }
}
