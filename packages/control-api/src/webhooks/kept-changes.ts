import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { CommandResult } from '../game/operations/operation.ts';
import type { KeptWebhooks } from '../store/kept/webhooks.ts';
import { OwnChanges, type OwnChangesParts } from '../store/own-changes.ts';
import type { KeptWebhook } from '../store/tables/webhooks.ts';
import { factsOf } from './webhook-changes.ts';

export interface KeptChangesParts extends Pick<OwnChangesParts, 'operations' | 'clock'> {
  readonly kept: Pick<KeptWebhooks, 'change' | 'unreadable'>;
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
  readonly #kept: KeptChangesParts['kept'];
  readonly #changes: OwnChanges;

  constructor({ kept, operations, clock }: KeptChangesParts) {
    this.#kept = kept;
    this.#changes = new OwnChanges({
      things: 'Webhooks',
      list: 'GET /webhooks',
      unreadable: () => kept.unreadable,
      operations,
      clock,
    });
  }

  /** Resolves when none is under way of those that have begun. */
  get settled(): Promise<unknown> {
    return this.#changes.settled;
  }

  /** Throws the Problem that says so where nobody can tell what webhooks there are. */
  readable(): void {
    this.#changes.readable();
  }

  /** Each is an operation that is kept with what it changes. */
  async make(
    name: ChangeName,
    asked: object,
    idempotencyKey: string | undefined,
    decide: (now: number) => Change,
  ): Promise<WebhookChanged> {
    let secret: string | undefined;
    const result = await this.#changes.make(name, asked, idempotencyKey, (now) => {
      const change = decide(now);
      const { hook, isForgotten } = change;
      const [put, forget] = isForgotten ? [[], [hook.id]] : [[hook], []];
      return {
        outcome: appliedTo(hook),
        keep: (operation) => this.#kept.change(put, forget, operation),
        done: () => {
          secret = change.secret ?? undefined;
          change.done();
        },
      };
    });
    return { result, secret };
  }
}

export function appliedTo(hook: KeptWebhook, more: object = {}): AppliedOutcome {
  return { outcome: 'applied', before: {}, after: { ...factsOf(hook), ...more } };
}
