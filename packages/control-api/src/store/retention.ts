import type { Clock, Timer } from '@steward/service-kit/clock';
import type { SettledTime } from '@steward/service-kit/settled-time';
import type { AuditSort, ForgetAudit } from './tables/audit.ts';
import type { ForgetEvents } from './tables/events.ts';
import type { ForgetSamples } from './tables/samples.ts';
import type { ForgetDeliveries } from './tables/webhooks.ts';
import type { Writer } from './writing/writer.ts';

const minuteMs = 60 * 1_000;
const dayMs = 24 * 60 * 60 * 1_000;
/** The first time, too: a service that starts has better to do. */
const sweepEveryMs = 10 * 60 * 1_000;
/** In small steps, between which others write. */
const eventsAtOnce = 1_000;
const sampleHoursAtOnce = 20;
const auditLinesAtOnce = 1_000;
const deliveriesAtOnce = 1_000;

/** Of those that a webhook's count leaves. */
const deliveriesKeptDays = 30;

/**
 * Lines of the audit that are kept at most, about 350 MB together: whoever fills it with talk, or with what is refused, makes room for
 * that alone, and hides no deed.
 */
const auditLines: Readonly<Record<AuditSort, number>> = {
  done: 400_000,
  said: 200_000,
  refused: 200_000,
};

export interface Keep {
  readonly events: { readonly days: number; readonly count: number };
  readonly samples: { readonly days: number };
  readonly audit: { readonly days: number };
}

/** Takes away what has been kept for long enough. */
export class Retention {
  readonly #writer: Pick<Writer, 'write'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #settled: SettledTime;
  readonly #keep: Keep;
  #next: Timer | undefined;

  constructor(writer: Pick<Writer, 'write'>, clock: Pick<Clock, 'after'>, settled: SettledTime, keep: Keep) {
    this.#writer = writer;
    this.#clock = clock;
    this.#settled = settled;
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
    const { events, samples, audit } = this.#keep;
    // By a clock that was just set nothing is too old; what is too much goes all the same.
    const now = this.#settled.now();
    const since = (days: number) => now - days * dayMs;
    await this.#forget({
      kind: 'forget-events',
      before: since(events.days),
      now,
      keep: events.count,
      most: eventsAtOnce,
    });
    const before = Math.floor(since(samples.days) / minuteMs);
    await this.#forget({ kind: 'forget-samples', before, most: sampleHoursAtOnce });
    await this.#forget({
      kind: 'forget-audit',
      before: since(audit.days),
      keep: auditLines,
      most: auditLinesAtOnce,
    });
    await this.#forget({
      kind: 'forget-deliveries',
      before: since(deliveriesKeptDays),
      most: deliveriesAtOnce,
    });
  }

  async #forget(step: ForgetEvents | ForgetSamples | ForgetAudit | ForgetDeliveries): Promise<void> {
    let gone: number;
    do {
      gone = await this.#writer.write(step, 'late');
    } while (gone >= step.most);
  }
}
