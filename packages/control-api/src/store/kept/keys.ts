import type { Operation } from '../../game/operations/operation.ts';
import type { KeptKey, KeysUsed } from '../tables/keys.ts';
import type { Writer } from '../writing/writer.ts';
import { operationRow } from './operations.ts';

export interface KeptKeysParts {
  readonly writer: Pick<Writer, 'write'>;
  /** The keys that an earlier process kept, the oldest first. */
  readonly kept: () => readonly KeptKey[];
  /** Why there is no database, where that is so. */
  readonly noDatabase: () => string | undefined;
}

/** Keys in the database. What is kept of them opens nothing. */
export class KeptKeys {
  readonly #parts: KeptKeysParts;

  constructor(parts: KeptKeysParts) {
    this.#parts = parts;
  }

  load(): readonly KeptKey[] {
    return this.#parts.kept();
  }

  /** Why nobody can tell whose a key is, where that is so. */
  get unreadable(): string | undefined {
    return this.#parts.noDatabase();
  }

  /** Resolves when the keys, and with them the operation that changed them, would survive a power cut: never one without the other. */
  async change(put: readonly KeptKey[], forget: readonly string[], operation: Operation): Promise<void> {
    await this.#parts.writer.write(
      { kind: 'keys', put, forget, operation: operationRow(operation) },
      'durable',
    );
  }

  /** What time alone did to them follows later: whoever reads them knows it by the time as well. */
  passed(put: readonly KeptKey[], forget: readonly string[]): void {
    this.#parts.writer.write({ kind: 'keys-passed', put, forget }, 'late').catch(() => {});
  }

  used(used: KeysUsed['used']): void {
    this.#parts.writer.write({ kind: 'keys-used', used }, 'late').catch(() => {});
  }
}
