import type { Clock } from '@steward/service-kit/clock';
import { codeOrWords } from '@steward/service-kit/process/errors';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { LiveOperation } from './live-operation.ts';
import {
  type Asked,
  type CommandResult,
  type Ending,
  isLocal,
  type Operation,
  type OperationCommandName,
  type OperationState,
  type WrittenOperation,
} from './operation.ts';
import { isForgotten } from './operation-index.ts';

/** Of what is done with a write to a disk: one that takes longer is as good as none. */
export const longestWriteMs = 10_000;

/** How long whoever asked waits at most. */
export interface CarryTimes {
  /** Where it takes longer its outcome is unknown until it comes. */
  readonly withinMs?: number;
  /** Where it takes longer whoever asked, and each retry, is told that it is under way: its state is `claimed`. */
  readonly answerMs?: number;
  /** Whoever asked is told so as soon as it has begun: at its first step. */
  readonly answersBegun?: boolean;
  /** It begins only once its first step is kept; where that cannot be, `step` rejects, and it is void. */
  readonly beginsKept?: boolean;
}

/** What an operation begins with cannot be kept. */
class NotKept extends Error {}

/** Does the work of an operation; `step` says what it does now, for those who watch, and resolves when a kill would not hide it. */
export type Carry = (operation: Operation, step: (step: string) => Promise<void>) => Promise<Ending>;

/** The list of all operations, as far as it is needed here. */
export interface OperationList {
  recall(asked: Asked): Promise<CommandResult> | undefined;
  begin(asked: Asked, state: OperationState): LiveOperation | CommandResult;
  answerOf(last: Operation): Promise<CommandResult>;
  find(id: string): Operation | undefined;
  live(): readonly LiveOperation[];
  settle(kept: Promise<unknown>): void;
  /** Takes up what was done, and is no news. */
  takeOver(done: Operation): Promise<void>;
  forget(live: LiveOperation): void;
}

/** What this service does itself: no game hears of it. */
export class OwnOperations {
  readonly #list: OperationList;
  readonly #clock: Clock;
  /** What is being carried out here, by its id: of that no file can tell yet. */
  readonly #carried = new Set<string>();

  constructor(list: OperationList, clock: Clock) {
    this.#list = list;
    this.#clock = clock;
  }

  /** See `Operations`. */
  async carryOut(
    asked: Asked,
    carry: Carry,
    { withinMs, answerMs, answersBegun = false, beginsKept = false }: CarryTimes,
  ): Promise<CommandResult> {
    const known = this.#list.recall(asked);
    if (known !== undefined) {
      const told = await known;
      return answersBegun && told.kind === 'operation' ? { ...told, isRetry: true } : told;
    }
    const live = this.#list.begin(asked, 'claimed');
    if ('kind' in live) return live;
    const { now: first } = live;
    if (withinMs !== undefined)
      live.deadline(withinMs, () =>
        this.#list.settle(live.become('unknown', { why: `it was not done within ${withinMs} ms` })),
      );
    if (answerMs !== undefined) live.underWay(answerMs);
    this.#carried.add(first.id);
    const step = async (name: string) => {
      const kept = live.step(name);
      this.#list.settle(kept);
      // That it cannot be kept is said by whoever keeps it.
      await kept.catch((error: unknown) => {
        if (beginsKept && !live.isTold)
          throw new NotKept(`STATE_DIR cannot be written (${codeOrWords(error)})`);
      });
      if (answersBegun) live.goesOn();
    };
    const carried = carry(first, step).finally(() => this.#carried.delete(first.id));
    this.#list.settle(
      carried.then(
        ({ state, ...more }) => live.become(state, more),
        (error) => this.#notDone(live, error),
      ),
    );
    return this.#list.answerOf(first);
  }

  /** See `Operations`. */
  restore(
    farmId: string,
    written: readonly WrittenOperation[],
    isChange: (outcome: AppliedOutcome) => boolean,
  ): void {
    const known = new Map(written.map((each) => [each.command, each]));
    for (const live of this.#left(isLocal)) {
      const { id, farmId: of } = live.now;
      if (of !== farmId) continue;
      const outcome = known.get(id)?.outcome;
      if (outcome === undefined)
        this.#list.settle(live.become('void', { why: 'it could not be stored', notDurable: true }));
      else if (isChange(outcome)) this.#list.settle(live.become('applied', { outcome }));
    }
    const changes = written.filter(({ outcome }) => isChange(outcome));
    this.remember(changes, isLocal, { farmId });
  }

  /** See `Operations`. */
  remember(
    written: readonly WrittenOperation[],
    isMeant: (command: OperationCommandName) => boolean,
    farm: Pick<Operation, 'farmId'> = {},
  ): void {
    for (const { command: id, outcome, operation } of written) {
      if (operation === undefined || this.#list.find(id) !== undefined) continue;
      const { command, createdAt: changedAt } = operation;
      if (!isMeant(command) || isForgotten(changedAt, this.#clock.date().getTime())) continue;
      this.#list.settle(
        this.#list.takeOver({ ...operation, ...farm, id, state: 'applied', changedAt, outcome }),
      );
    }
  }

  /** See `Operations`. */
  decide(commands: readonly OperationCommandName[], ending: (left: Operation) => Ending | undefined): void {
    for (const live of this.#left((command) => commands.includes(command))) {
      const ended = ending(live.now);
      if (ended === undefined) continue;
      const { state, ...more } = ended;
      this.#list.settle(live.become(state, more));
    }
  }

  /** What an earlier process began, and nobody knows the end of. */
  #left(isMeant: (command: OperationCommandName) => boolean): readonly LiveOperation[] {
    return this.#list
      .live()
      .filter(
        ({ now: { id, command, state } }) =>
          state === 'unknown' && isMeant(command) && !this.#carried.has(id),
      );
  }

  /**
   * Nobody was told of it yet: it is as if it had never begun, but for a step that was kept. Who was told that it may be done is told that
   * it was not; and a step that is yet to be written is not to say that it goes on.
   */
  async #notDone(live: LiveOperation, error: unknown): Promise<void> {
    const why = error instanceof Error ? error.message : String(error);
    if (live.isTold || error instanceof NotKept) {
      await live.become('void', { why, notDurable: true });
      return;
    }
    if (live.now.step === undefined) this.#list.forget(live);
    await live.fail(error, why);
  }
}
