import type { Operation } from '../../game/operations/operation.ts';
import type {
  DeliveryQuery,
  KeptDelivery,
  KeptWebhook,
  WebhookReader,
  WebhooksMoved,
} from '../tables/webhooks.ts';
import type { Writer } from '../writing/writer.ts';
import { operationRow } from './operations.ts';
import { type ReadingParts, readUnlocked } from './read-unlocked.ts';

export interface KeptWebhooksParts extends ReadingParts {
  readonly writer: Pick<Writer, 'write'>;
  /** Throws a StoreError where there is no database. */
  readonly reader: () => Pick<WebhookReader, 'deliveries' | 'lag'>;
  /** The webhooks that an earlier process kept. */
  readonly kept: () => readonly KeptWebhook[];
  /** Why there is no database, where that is so. */
  readonly noDatabase: () => string | undefined;
}

/** Webhooks in the database, how far each has come, and what became of the last messages. */
export class KeptWebhooks {
  readonly #parts: KeptWebhooksParts;

  constructor(parts: KeptWebhooksParts) {
    this.#parts = parts;
  }

  load(): readonly KeptWebhook[] {
    return this.#parts.kept();
  }

  /** Why nobody can tell what webhooks there are, where that is so. */
  get unreadable(): string | undefined {
    return this.#parts.noDatabase();
  }

  /** Resolves when the webhooks, and with them the operation that changed them, would survive a power cut. */
  async change(put: readonly KeptWebhook[], forget: readonly string[], operation: Operation): Promise<void> {
    const row = operationRow(operation);
    await this.#parts.writer.write({ kind: 'webhooks', put, forget, operation: row }, 'durable');
  }

  /** Resolves when the end of this process would not take it back; rejects with a StoreError. */
  async move({ moved, deliveries }: Pick<WebhooksMoved, 'moved' | 'deliveries'>): Promise<void> {
    await this.#parts.writer.write({ kind: 'webhooks-moved', moved, deliveries }, 'late');
  }

  async deliveries(query: DeliveryQuery): Promise<KeptDelivery[]> {
    return await readUnlocked(this.#parts, () => this.#parts.reader().deliveries(query));
  }

  async lag(topics: readonly string[], after: number, most: number): Promise<number> {
    return await readUnlocked(this.#parts, () => this.#parts.reader().lag(topics, after, most));
  }
}
