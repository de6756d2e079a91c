import { type Clock, inTime } from '@steward/service-kit/clock';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { CommandResult, Ending, Operation } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import type { KeptWebhooks } from '../store/kept-webhooks.ts';
import { StoreError } from '../store/store-error.ts';
import type { KeptWebhook } from '../store/webhooks.ts';
import { factsOf } from './webhook-changes.ts';

/** A disk that takes longer is as good as none. */
const outcomeMs = 10_000;

export interface KeptChangesParts {
  readonly kept: Pick<KeptWebhooks, 'change' | 'unreadable'>;
  readonly operations: Pick<Operations, 'carryOut'>;
  readonly clock: Clock;
}

/** What became of a change. */
export interface WebhookChanged {
  readonly result: CommandResult;
  /** Told once: undefined for a retry, and where there is none. */
  readonly secret: string | undefined;
}

type ChangeName = 'createWebhook' | 'deleteWebhook' | 'resumeWebhook';

/** A webhook as it is to be kept, or not any more, and what follows once that is so. */
export interface Change {
  readonly hook: KeptWebhook;
  readonly isForgotten?: true;
  readonly secret?: string | null;
  readonly done: () => void;
}

/** Changes of webhooks, one after the other: on the disk before anybody is told. */
export class KeptChanges {
  readonly #parts: KeptChangesParts;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: KeptChangesParts) {
    this.#parts = parts;
  }

  /** Resolves when none is under way of those that have begun. */
  get settled(): Promise<unknown> {
    return this.#queue;
  }

  /** Throws the Problem that says so where nobody can tell what webhooks there are. */
  readable(): void {
    const { unreadable } = this.#parts.kept;
    if (unreadable !== undefined)
      throw new Problem('state-unreadable', `Webhooks cannot be read or changed now: ${unreadable}`);
  }

  /** Each is an operation that is kept with what it changes. */
  async make(
    name: ChangeName,
    asked: object,
    idempotencyKey: string | undefined,
    decide: (now: number) => Change,
  ): Promise<WebhookChanged> {
    const { operations, clock } = this.#parts;
    let secret: string | undefined;
    let operationId: string | undefined;
    const done = operations.carryOut({ name, request: { name, asked }, idempotencyKey }, (operation) => {
      operationId = operation.id;
      return this.#exclusively(async () => {
        this.readable();
        const change = decide(clock.date().getTime());
        const ending = await this.#carryOut(operation, change);
        if (ending.state === 'applied') secret = change.secret ?? undefined;
        return ending;
      });
    });
    const result = await inTime(done, outcomeMs, clock, () => tooLate(operationId));
    return { result, secret };
  }

  async #carryOut(operation: Operation, { hook, isForgotten, done }: Change): Promise<Ending> {
    const { kept, clock } = this.#parts;
    const outcome = appliedTo(hook);
    const changedAt = timestampOf(clock.date());
    const [put, forget] = isForgotten ? [[], [hook.id]] : [[hook], []];
    try {
      await kept.change(put, forget, { ...operation, state: 'applied', changedAt, outcome });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.readable();
      const why = `the webhook cannot be written to STATE_DIR (${error.code ?? error.failure})`;
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
}

export function appliedTo(hook: KeptWebhook, more: object = {}): AppliedOutcome {
  return { outcome: 'applied', before: {}, after: { ...factsOf(hook), ...more } };
}

function tooLate(operationId: string | undefined): Problem {
  return new Problem(
    'outcome-unknown',
    `It was not written to STATE_DIR within ${outcomeMs} ms, and may yet be: GET /webhooks tells whether it was`,
    { ...(operationId === undefined ? {} : { operationId }), applied: null },
  );
}
