import type { Clock, Timer } from '@steward/service-kit/clock';
import type { KeptWebhooks } from '../store/kept/webhooks.ts';
import { StoreError } from '../store/tables/store-error.ts';
import type { Delivery, WebhookProgress } from '../store/tables/webhooks.ts';
import type { Lane } from './lane.ts';

/** Before what could not be written down is tried again. */
const againMs = 1_000;
/** What became of messages that a disk does not take: beyond so many the oldest are forgotten. */
const mostUnkept = 1_000;

/** Writes down how far each has come: what moves while the disk is busy goes together. */
export class Moves {
  readonly #kept: Pick<KeptWebhooks, 'move'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #moved = new Set<Lane>();
  /** As each was written down last. */
  readonly #written = new WeakMap<Lane, WebhookProgress>();
  #deliveries: Delivery[] = [];
  #writing: Promise<void> | undefined;
  #again: Timer | undefined;

  constructor(kept: Pick<KeptWebhooks, 'move'>, clock: Pick<Clock, 'after'>) {
    this.#kept = kept;
    this.#clock = clock;
  }

  note(lane: Lane, delivery?: Delivery): void {
    this.#moved.add(lane);
    if (delivery !== undefined) this.#deliveries.push(delivery);
    if (this.#again === undefined) this.settled().catch(() => {});
  }

  /** For where they have come to without a word to tell. */
  noteAll(lanes: readonly Lane[]): void {
    for (const lane of lanes) if (this.#written.get(lane) !== lane.progress) this.note(lane);
  }

  forget(lane: Lane): void {
    this.#moved.delete(lane);
    this.#deliveries = this.#deliveries.filter(({ hook }) => hook !== lane.definition.id);
  }

  /** Resolves when what was noted before is written down; rejects with a StoreError where the disk does not take it. */
  settled(): Promise<void> {
    this.#writing ??= this.#write();
    return this.#writing;
  }

  stop(): void {
    this.#again?.cancel();
  }

  async #write(): Promise<void> {
    // What moves in the same moment goes together.
    await Promise.resolve();
    try {
      while (this.#moved.size > 0) await this.#writeNext();
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeNext(): Promise<void> {
    const lanes = [...this.#moved];
    const deliveries = this.#deliveries;
    this.#moved.clear();
    this.#deliveries = [];
    const progress = lanes.map((lane) => [lane, lane.progress] as const);
    const moved = progress.map(([{ definition }, each]) => ({ id: definition.id, ...each }));
    try {
      await this.#kept.move({ moved, deliveries });
      for (const [lane, written] of progress) this.#written.set(lane, written);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      for (const lane of lanes) this.#moved.add(lane);
      this.#deliveries = [...deliveries, ...this.#deliveries].slice(-mostUnkept);
      if (!error.isLasting) this.#tryLater();
      throw error;
    }
  }

  #tryLater(): void {
    this.#again ??= this.#clock.after(againMs, () => {
      this.#again = undefined;
      this.settled().catch(() => {});
    });
  }
}
