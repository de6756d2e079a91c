import { type Clock, pause } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { type ShownEvent, shownEvent, shownGap } from '@steward/shared/events/shown-event';
import { type Cursor, type LoggedEvent, parseCursor, printCursor } from '../game/state/event-log.ts';
import { StoreError } from '../store/tables/store-error.ts';
import type { Delivery, WebhookDefinition, WebhookProgress } from '../store/tables/webhooks.ts';
import { aheadOf, type ReadableLog } from './log-place.ts';
import type { Egress, Posted, Templates } from './sending.ts';
import { heeded, pauseBefore, retryAfterMs, type Verdict, verdictOf, webhookPace } from './verdict.ts';

/** Before what went wrong on this side is tried again: what passes by itself, and a mistake that is said each time. */
const ownTroublePauseMs = 1_000;
const mistakePauseMs = 60_000;

export interface LaneParts {
  readonly log: ReadableLog;
  readonly egress: Egress;
  readonly templates: Templates;
  readonly clock: Clock;
  readonly retryClock: Clock;
  readonly random: () => number;
  /** Whether there is a database: without one nobody could tell later how far it came. */
  readonly isKept: () => boolean;
  /** It has come further, or not; this is what became of a message. */
  readonly moved: (lane: Lane, delivery?: Delivery) => void;
  /** Resolves when everything that has moved is written down. */
  readonly settled: () => Promise<void>;
  readonly tried: (outcome: TryOutcome) => void;
  readonly switchedOff: (lane: Lane) => void;
  /** This service has made a mistake, and tries again. */
  readonly mistaken: (lane: Lane, error: unknown) => void;
}

export type TryOutcome = 'delivered' | 'failed' | 'givenUp';

interface Next {
  readonly id: string;
  readonly event: ShownEvent;
  /** Where the log is told up to once this is. */
  readonly place: Cursor;
}

/** One webhook on its way through the log: one message at a time, in order, whatever becomes of the others. */
export class Lane {
  readonly definition: WebhookDefinition;
  readonly #parts: LaneParts;
  #progress: WebhookProgress;
  /** What comes behind its place, as far as it has been read. */
  #ahead: readonly LoggedEvent<StewardEvent>[] = [];
  #next: Next | undefined;
  /** How often that was refused for what it says: a receiver that was away, and is not yet all there, has refused it once. */
  #refusals = 0;
  #news = Promise.withResolvers<void>();
  #pausing = new AbortController();
  readonly #ended = new AbortController();
  #isFinishing = false;

  constructor(definition: WebhookDefinition, progress: WebhookProgress, parts: LaneParts) {
    this.definition = definition;
    this.#progress = progress;
    this.#parts = parts;
  }

  get progress(): WebhookProgress {
    return this.#progress;
  }

  /** When that happened which it has to tell next; undefined where nothing waits. */
  get waitingSince(): Date | undefined {
    return this.#next && new Date(this.#next.event.at);
  }

  /** Goes on until it is stopped, whatever goes wrong: no webhook is a reason for a farm to be without its service. */
  async run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        this.#parts.mistaken(this, error);
        await pause(mistakePauseMs, this.#parts.retryClock, this.#ended.signal);
      }
    }
  }

  /** Something has happened. */
  wake(): void {
    this.#news.resolve();
  }

  /** Goes on where it stopped, or tries now. */
  resume(): void {
    const { state } = this.#progress;
    this.#refusals = 0;
    this.#become({
      notBefore: 0,
      ...(state === 'off' ? { state: 'active', since: this.#now(), ...notFailing } : {}),
    });
    this.#pausing.abort();
    this.wake();
  }

  /** Ends once nothing waits that can be told at once. */
  finish(): void {
    this.#isFinishing = true;
    this.#pausing.abort();
    this.wake();
  }

  /** What is under way is broken off: sent again, it has the same id. */
  stop(): void {
    this.#ended.abort();
    this.#pausing.abort();
    this.wake();
  }

  async #step(): Promise<void> {
    const news = Promise.withResolvers<void>();
    this.#news = news;
    const isTelling = this.#progress.state === 'active' && this.#parts.isKept();
    // Known before it may be told: for how long it waits is asked for.
    const waits = isTelling && (await this.#hasNext());
    // Stopped meanwhile, it begins no pause: nobody would end that one.
    if (this.#ended.signal.aborted) return;
    const isLater = this.#progress.notBefore > 0;
    if (waits && !isLater) await this.#tell();
    else if (this.#isFinishing) this.stop();
    else if (waits) await this.#pause();
    else await news.promise;
  }

  async #pause(): Promise<void> {
    const { retryClock } = this.#parts;
    const ms = Math.min(this.#progress.notBefore - this.#now(), webhookPace.longestPauseMs);
    this.#pausing = new AbortController();
    if (ms > 0) await pause(ms, retryClock, this.#pausing.signal);
    // However the wall clock was set meanwhile.
    if (!this.#ended.signal.aborted && !this.#isFinishing) this.#become({ notBefore: 0 });
  }

  async #hasNext(): Promise<boolean> {
    if (this.#next !== undefined) return true;
    try {
      this.#next = await this.#read();
    } catch (error) {
      // What keeps it from reading is said by whoever has the database.
      if (!(error instanceof StoreError)) throw error;
      await pause(ownTroublePauseMs, this.#parts.retryClock, this.#ended.signal);
      this.wake();
    }
    return this.#next !== undefined;
  }

  async #read(): Promise<Next | undefined> {
    const { log, moved } = this.#parts;
    if (this.#progress.gapTo !== null) return await this.#gap();
    if (this.#ahead.length === 0) {
      const { epoch, number } = this.#progress;
      const found = await aheadOf(log, { epoch, number }, this.definition.topics);
      if (found.gap) {
        this.#become({ gapTo: printCursor(found.place) });
        moved(this);
        return await this.#gap();
      }
      this.#ahead = found.events;
      // What is none of its business needs no writing down each time.
      this.#progress = { ...this.#progress, ...found.place };
    }
    const [first, ...rest] = this.#ahead;
    if (first === undefined) return undefined;
    this.#ahead = rest;
    const place = { epoch: this.#progress.epoch, number: first.number };
    const event = shownEvent(first.event, first, this.definition.identities);
    return { id: `evt_${first.cursor}`, event, place };
  }

  /** Told again by another process it is the same: what is lost since then is another gap. */
  async #gap(): Promise<Next | undefined> {
    const { clock, settled } = this.#parts;
    const { epoch, number, gapTo } = this.#progress;
    const place = parseCursor(gapTo ?? '');
    if (!place.ok) return undefined;
    await settled();
    const cursor = printCursor({ epoch, number });
    return { id: `gap_${cursor}`, event: shownGap({ at: clock.date(), cursor }), place: place.value };
  }

  async #tell(): Promise<void> {
    const next = this.#next;
    if (next === undefined) return;
    const { template } = this.definition;
    const { posted, verdict } = await this.#post(next).then(
      (answer) => ({ posted: answer, verdict: verdictOf(answer, template, this.#parts.templates) }),
      (error: unknown) => {
        // What is thrown may hold the URL.
        const name = error instanceof Error ? error.name : typeof error;
        const reason = `an error in this service, with the message (${name})`;
        // It would be made each time.
        return { posted: { kind: 'failed', reason }, verdict: { kind: 'refused', reason } } as const;
      },
    );
    if (!this.#ended.signal.aborted) this.#judge(next, posted, verdict);
  }

  async #post({ id, event }: Next): Promise<Posted> {
    const { egress, templates, clock } = this.#parts;
    const { template, url, secret } = this.definition;
    const to = { id, sentAt: clock.date(), url, secret: secret ?? undefined };
    const message = templates.messageFor(template, event, to);
    return await egress.post(message.url ?? url, message, this.#ended.signal);
  }

  #judge(next: Next, posted: Posted, verdict: Verdict): void {
    const { templates, clock, random, moved, tried, switchedOff } = this.#parts;
    const { template } = this.definition;
    const now = this.#now();
    const rulesMs = heeded(posted.kind === 'answered' ? templates.pauseAfter(template, posted) : 0);
    const tries = this.#progress.tries + 1;
    const ended = { status: posted.kind === 'answered' ? posted.status : null, tries, at: now };
    if (verdict.kind === 'delivered') {
      const notBefore = rulesMs > 0 ? now + rulesMs : 0;
      this.#become({ ...this.#behind(next), ...notFailing, deliveredAt: now, notBefore });
      tried('delivered');
      moved(this, { ...this.#deliveryOf(next), ...ended, outcome: 'delivered', reason: null });
      return;
    }
    const { reason } = verdict;
    const failures = this.#progress.failures + 1;
    const failingSince = this.#progress.failingSince ?? now;
    if (verdict.kind === 'refused') this.#refusals += 1;
    const isGivenUp = this.#refusals >= webhookPace.triesOfRefused;
    const askedMs = heeded(Math.max(rulesMs, retryAfterMs(posted, clock.date())));
    const failing = { failures, failingSince, reason };
    if (isGivenUp) {
      this.#become({
        ...this.#behind(next),
        ...failing,
        tries: 0,
        notBefore: askedMs > 0 ? now + askedMs : 0,
      });
      moved(this, { ...this.#deliveryOf(next), ...ended, outcome: 'givenUp', reason });
    } else {
      this.#become({ ...failing, tries, notBefore: now + pauseBefore(tries, verdict.kind, askedMs, random) });
      moved(this);
    }
    tried(isGivenUp ? 'givenUp' : 'failed');
    const hasFailedEnough =
      now - failingSince >= webhookPace.offAfterMs && failures >= webhookPace.offAfterFailures;
    if (verdict.kind !== 'gone' && !hasFailedEnough) return;
    this.#become({ state: 'off', since: now, notBefore: 0 });
    moved(this);
    switchedOff(this);
  }

  /** Nothing is to be said of it any more. */
  #behind({ place }: Next): Partial<WebhookProgress> {
    this.#next = undefined;
    this.#refusals = 0;
    return { ...place, gapTo: null };
  }

  #deliveryOf({ id, event }: Next): Pick<Delivery, 'hook' | 'message' | 'type'> {
    return { hook: this.definition.id, message: id, type: event.type };
  }

  #become(change: Partial<WebhookProgress>): void {
    this.#progress = { ...this.#progress, ...change };
  }

  #now(): number {
    return this.#parts.clock.date().getTime();
  }
}

export const notFailing = { failingSince: null, failures: 0, tries: 0, reason: null } as const;
