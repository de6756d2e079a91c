import { type Clock, settledWithin } from '@steward/service-kit/clock';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { CommandResult, Ending, Operation, OperationCommandName } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import { longestWriteMs } from '../game/operations/own-operations.ts';
import { StoreError } from './tables/store-error.ts';

export interface OwnChangesParts {
  /** What is changed, as it begins a sentence, and where it is listed: `Webhooks`, `GET /webhooks`. */
  readonly things: string;
  readonly list: string;
  /** Why nobody can tell what there is, where that is so. */
  readonly unreadable: () => string | undefined;
  readonly operations: Pick<Operations, 'carryOut'>;
  readonly clock: Clock;
}

/** What is to be kept from now on, how that is told, and what follows once it is so. */
export interface OwnChange {
  readonly outcome: AppliedOutcome;
  readonly keep: (operation: Operation) => Promise<void>;
  readonly done: () => void;
}

/** Changes of what this service keeps for itself, one after the other: on the disk before anybody is told. */
export class OwnChanges {
  readonly #parts: OwnChangesParts;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: OwnChangesParts) {
    this.#parts = parts;
  }

  /** Resolves when none is under way of those that have begun. */
  get settled(): Promise<unknown> {
    return this.#queue;
  }

  /** Throws the Problem that says so where nobody can tell what there is. */
  readable(): void {
    const { things, unreadable } = this.#parts;
    const why = unreadable();
    if (why !== undefined)
      throw new Problem('state-unreadable', `${things} cannot be read or changed now: ${why}`);
  }

  /** Each is an operation that is kept with what it changes. */
  async make(
    name: OperationCommandName,
    asked: object,
    idempotencyKey: string | undefined,
    decide: (now: number) => OwnChange,
  ): Promise<CommandResult> {
    const { operations, clock } = this.#parts;
    let operationId: string | undefined;
    const done = operations.carryOut({ name, request: { name, asked }, idempotencyKey }, (operation) => {
      operationId = operation.id;
      return this.#exclusively(async () => {
        this.readable();
        return await this.#carryOut(operation, decide(clock.date().getTime()));
      });
    });
    return await settledWithin(done, longestWriteMs, clock, () => this.#tooLate(operationId));
  }

  async #carryOut(operation: Operation, { outcome, keep, done }: OwnChange): Promise<Ending> {
    const { clock, things } = this.#parts;
    try {
      const changedAt = timestampOf(clock.date());
      await keep({ ...operation, state: 'applied', changedAt, outcome });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.readable();
      const why = `${things.toLowerCase()} cannot be written to STATE_DIR (${error.code ?? error.failure})`;
      return { state: 'void', why, notDurable: true };
    }
    done();
    return { state: 'applied', outcome };
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  #tooLate(operationId: string | undefined): Problem {
    return new Problem(
      'outcome-unknown',
      `It was not written to STATE_DIR within ${longestWriteMs} ms, but may still be: check ${this.#parts.list}`,
      { ...(operationId === undefined ? {} : { operationId }), applied: null },
    );
  }
}
