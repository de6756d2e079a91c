import { randomUUID } from 'node:crypto';
import { type Clock, every } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { AnswerOf } from '@steward/shared/api/answers';
import { testOutcome, type WebhookStanding } from '@steward/shared/api/answers/webhooks';
import type { QueryOf } from '@steward/shared/api/endpoints';
import { deliveriesListed } from '@steward/shared/api/endpoints/webhooks';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { CommandResult } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import type { KeptEventLog } from '../store/kept/event-log.ts';
import type { KeptWebhooks } from '../store/kept/webhooks.ts';
import { meant, shown, type Which } from '../store/named.ts';
import { unreadable } from '../store/state-problems.ts';
import type { KeptWebhook } from '../store/tables/webhooks.ts';
import { appliedTo, KeptChanges, type WebhookChanged } from './kept-changes.ts';
import { Lane, notFailing, type TryOutcome } from './lane.ts';
import { headOf, type ReadableLog } from './log-place.ts';
import { Moves } from './moves.ts';
import type { Egress, Posted, Templates } from './sending.ts';
import { verdictOf } from './verdict.ts';
import { hostOf, made, type NewWebhook, standingOf } from './webhook-changes.ts';

/** How far they have come without having anything to tell is written down so often. */
const idleMovesMs = 60_000;
/** So long a service that stops has for what happened at the last: a channel is to know now that it stops, not when it is back. */
const lastWordsMs = 1_000;
/** Events are counted up to so many. */
const mostLag = 1_000;

export interface WebhooksParts {
  readonly kept: KeptWebhooks;
  readonly events: ReadableLog & Pick<KeptEventLog<StewardEvent>, 'follow' | 'append'>;
  readonly operations: Pick<Operations, 'carryOut'>;
  readonly egress: Egress;
  readonly templates: Templates;
  readonly clock: Clock;
  readonly retryClock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

export interface HookWaiting {
  readonly id: string;
  readonly isFailing: boolean;
  readonly seconds: number | undefined;
}

/** The webhooks, each told by itself what happens; what changes of them is on the disk before it is told. */
export class Webhooks {
  readonly #parts: WebhooksParts;
  readonly #moves: Moves;
  readonly #changes: KeptChanges;
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Set<Promise<void>>();
  readonly #tries: Record<TryOutcome, number> = { delivered: 0, failed: 0, givenUp: 0 };
  readonly #ended = new AbortController();
  #isStarted = false;
  #stops: (() => void)[] = [];

  constructor(parts: WebhooksParts) {
    this.#parts = parts;
    this.#moves = new Moves(parts.kept, parts.retryClock);
    this.#changes = new KeptChanges(parts);
  }

  /** To be called when the database is open. */
  load(): void {
    for (const hook of this.#parts.kept.load()) this.#take(hook);
  }

  /** Tells what has happened and what happens. */
  start(): void {
    this.#isStarted = true;
    const { events, retryClock } = this.#parts;
    this.#stops = [
      events.follow(() => {
        for (const lane of this.#lanes.values()) lane.wake();
      }),
      every(retryClock, idleMovesMs, () => this.#moves.noteAll(this.#all)),
    ];
    for (const lane of this.#lanes.values()) this.#run(lane);
  }

  /** Tells what can be told at once; then what is under way is broken off, and how far each has come is written down. */
  async stop(): Promise<void> {
    this.#ended.abort();
    for (const stop of this.#stops) stop();
    for (const lane of this.#all) lane.finish();
    const timer = this.#parts.retryClock.after(lastWordsMs, () => {
      for (const lane of this.#all) lane.stop();
    });
    await Promise.all([...this.#running, this.#changes.settled]);
    timer.cancel();
    // Who only answers a command has moved nothing.
    if (!this.#isStarted) return;
    this.#moves.noteAll(this.#all);
    this.#moves.stop();
    await this.#moves.settled().catch(() => {});
  }

  async list(): Promise<WebhookStanding[]> {
    this.#changes.readable();
    const { kept, clock } = this.#parts;
    const now = clock.date().getTime();
    return await this.#read(() =>
      Promise.all(
        this.#all.map(async (lane) => {
          const { topics } = lane.definition;
          return standingOf(lane, now, await kept.lag(topics, lane.progress.number, mostLag));
        }),
      ),
    );
  }

  /** The newest first. */
  async deliveries(query: QueryOf<'listDeliveries'>): Promise<AnswerOf<'listDeliveries'>['deliveries']> {
    this.#changes.readable();
    const { id: hook, outcome, before, limit = deliveriesListed.usual } = query;
    const rows = await this.#read(() => this.#parts.kept.deliveries({ hook, outcome, before, limit }));
    return rows.map(
      ({ number, hook: webhookId, message, type, at, outcome: how, tries, status, reason }) => ({
        number,
        webhookId,
        webhookName: this.#lanes.get(webhookId)?.definition.name ?? webhookId,
        messageId: message,
        type,
        outcome: how,
        at: timestampOf(at),
        tries,
        ...(status === null ? {} : { status }),
        ...(reason === null ? {} : { reason }),
      }),
    );
  }

  create(asked: NewWebhook, idempotencyKey: string | undefined): Promise<WebhookChanged> {
    return this.#changes.make('createWebhook', asked, idempotencyKey, (now) => {
      const { egress, templates, events } = this.#parts;
      const { url, template = 'standard' } = asked;
      const refused = egress.check(url) ?? templates.check(template, url);
      if (refused !== undefined) throw new Problem('webhook-url-refused', refused);
      const hook = made(this.#all, asked, headOf(events), now);
      return { hook, secret: hook.secret, done: () => this.#take(hook) };
    });
  }

  remove(which: Which, idempotencyKey: string | undefined): Promise<WebhookChanged> {
    return this.#changes.make('deleteWebhook', which, idempotencyKey, () => {
      const lane = meant('webhook', this.#all, which);
      return { hook: keptOf(lane), isForgotten: true, done: () => this.#drop(lane) };
    });
  }

  resume(which: Which, idempotencyKey: string | undefined): Promise<WebhookChanged> {
    return this.#changes.make('resumeWebhook', which, idempotencyKey, (now) => {
      const lane = meant('webhook', this.#all, which);
      const hook = keptOf(lane);
      const isOff = hook.state === 'off';
      return {
        // Written at once: where only a command is answered, no lane runs that would write it later.
        hook: { ...hook, notBefore: 0, ...(isOff ? { ...notFailing, state: 'active', since: now } : {}) },
        done: () => lane.resume(),
      };
    });
  }

  /** Sends one message of no meaning, whatever waits; it counts neither as delivered nor as a failure. */
  async test(which: Which, idempotencyKey: string | undefined): Promise<CommandResult> {
    const asked = {
      name: 'testWebhook',
      request: { name: 'testWebhook', asked: which },
      idempotencyKey,
    } as const;
    return await this.#parts.operations.carryOut(asked, async () => {
      this.#changes.readable();
      const lane = meant('webhook', this.#all, which);
      const posted = await this.#postTest(lane);
      const verdict = verdictOf(posted, lane.definition.template, this.#parts.templates);
      const test = testOutcome.parse({
        delivered: verdict.kind === 'delivered',
        ...(posted.kind === 'answered' ? { status: posted.status } : {}),
        ...('reason' in verdict ? { reason: verdict.reason } : {}),
      });
      return { state: 'applied', outcome: appliedTo(keptOf(lane), { test }) };
    });
  }

  /** How many there are in each state, and how many of those fail. */
  get counts(): Readonly<Record<'active' | 'failing' | 'off', number>> {
    const counts = { active: 0, failing: 0, off: 0 };
    for (const { progress } of this.#all)
      counts[progress.state === 'off' ? 'off' : progress.failingSince === null ? 'active' : 'failing'] += 1;
    return counts;
  }

  get tries(): Readonly<Record<TryOutcome, number>> {
    return this.#tries;
  }

  /** Of each: whether it fails or has failed so that it is off, and of one that is not, for how long the oldest event waits that it is to be told. */
  get waiting(): readonly HookWaiting[] {
    const now = this.#parts.clock.date().getTime();
    return this.#all.map(({ definition: { id }, progress, waitingSince }) => {
      if (progress.state === 'off') return { id, isFailing: true, seconds: undefined };
      const isFailing = progress.failingSince !== null;
      const seconds = waitingSince === undefined ? 0 : Math.max(0, now - waitingSince.getTime()) / 1_000;
      return { id, isFailing, seconds };
    });
  }

  get #all(): readonly Lane[] {
    return [...this.#lanes.values()];
  }

  async #postTest({ definition: { template, url, secret } }: Lane): Promise<Posted> {
    const { egress, templates, clock, events } = this.#parts;
    const now = clock.date();
    const event = { type: 'test', at: timestampOf(now), cursor: events.head, data: {} } as const;
    const to = { id: `test_${randomUUID()}`, sentAt: now, url, secret: secret ?? undefined };
    const message = templates.messageFor(template, event, to);
    return await egress.post(message.url ?? url, message, this.#ended.signal);
  }

  #take(hook: KeptWebhook): void {
    const { kept, events: log, ...parts } = this.#parts;
    const lane: Lane = new Lane(hook, hook, {
      ...parts,
      log,
      isKept: () => kept.unreadable === undefined,
      moved: (moved, delivery) => this.#moves.note(moved, delivery),
      settled: () => this.#moves.settled(),
      tried: (outcome) => {
        this.#tries[outcome] += 1;
      },
      switchedOff: (off) => this.#tellOff(off),
      mistaken: (about, error) => this.#tellMistake(about, error),
    });
    this.#lanes.set(hook.id, lane);
    if (this.#isStarted) this.#run(lane);
  }

  #drop(lane: Lane): void {
    this.#lanes.delete(lane.definition.id);
    this.#moves.forget(lane);
    lane.stop();
  }

  #run(lane: Lane): void {
    if (this.#ended.signal.aborted) return;
    const running = lane.run().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #tellOff({ definition: { id, name, url }, progress }: Lane): void {
    const { events, log } = this.#parts;
    const reason = `${hostOf(url)} gets no more events: ${progress.reason}`;
    const remedy = 'Fix what the reason says and resume it with POST /webhooks/resume, or delete it';
    log.warn({ webhook: id, remedy }, `the webhook ${shown(name)} is off: ${reason}`);
    events.append({
      type: 'webhooks.switchedOff',
      data: { webhookId: id, webhookName: name, reason, remedy },
    });
  }

  #tellMistake({ definition: { id, name } }: Lane, error: unknown): void {
    const { name: kind, stack = '' } = error instanceof Error ? error : new Error();
    // Its words may hold the URL; where it was made may not.
    const at = stack.split('\n').filter((line) => /^ +at /.test(line));
    this.#parts.log.error(
      { webhook: id, at },
      `an error in this service, with the webhook ${shown(name)} (${kind}); it tries again in a minute`,
    );
  }

  async #read<Found>(read: () => Promise<Found>): Promise<Found> {
    return await read().catch(unreadable('Webhooks cannot be read now'));
  }
}

function keptOf({ definition, progress }: Lane): KeptWebhook {
  return { ...definition, ...progress };
}
