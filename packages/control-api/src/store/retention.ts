import type { Clock, Timer } from '@steward/service-kit/clock';
import type { Writer } from './writer.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** The first time, too: a service that starts has better to do. */
const sweepEveryMs = 10 * 60 * 1_000;
/** In small steps, between which others write. */
const rowsAtOnce = 1_000;

export interface Keep {
  readonly days: number;
  readonly count: number;
}

/** Takes away what has been kept for long enough. */
export class Retention {
  readonly #writer: Pick<Writer, 'write'>;
  readonly #clock: Clock;
  readonly #keep: Keep;
  #next: Timer | undefined;

  constructor(writer: Pick<Writer, 'write'>, clock: Clock, keep: Keep) {
    this.#writer = writer;
    this.#clock = clock;
    this.#keep = keep;
  }

  start(): void {
    this.#next = this.#clock.after(sweepEveryMs, () => {
      // What keeps it from that is said by whoever has something to keep; the next time comes.
      void this.sweep().catch(() => {});
      this.start();
    });
  }

  stop(): void {
    this.#next?.cancel();
  }

  async sweep(): Promise<void> {
    const { days, count: keep } = this.#keep;
    const before = this.#clock.date().getTime() - days * dayMs;
    let gone: number;
    do {
      gone = await this.#writer.write({ kind: 'forget-events', before, keep, most: rowsAtOnce }, 'late');
    } while (gone === rowsAtOnce);
  }
}
