import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { type Topic, topicOf } from '@steward/shared/events/event-types';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { keptEvents } from '../../../src/game/bridge-events.ts';
import { Operations } from '../../../src/game/operations/operations.ts';
import { bridgeLimits } from '../../../src/game/state/limits.ts';
import { KeptWebhooks } from '../../../src/store/kept/webhooks.ts';
import { keptWebhooks, WebhookReader } from '../../../src/store/tables/webhooks.ts';
import type { Addressed, Egress, Posted, Templates, ToldEvent } from '../../../src/webhooks/sending.ts';
import { Webhooks } from '../../../src/webhooks/webhooks.ts';
import { MemoryStore } from '../../game/stage/memory-store.ts';
import { settled } from '../../game/stage/stage.ts';
import { OpenedLog } from '../../store/opened-log.ts';
import type { Sent } from './judging.ts';

export const hookUrl = (name: string) => `https://${name}.example/hook`;

const settling: ReadonlySet<Mood> = new Set([200, 204, 404, 301]);

/** As a receiver does with each message: what it answers, or whether it is lost on the way there or back. */
export type Mood = number | 'lost' | 'answer lost' | 'silent' | Posted;

export interface Received {
  readonly id: string;
  readonly event: ToldEvent;
  readonly mood: Mood;
}

/** What a template makes a mistake over. */
export const unspeakable = 'unspeakable';

/** What the template takes for the end of a receiver. */
export const goneBody = 'gone';

const plain: Templates = {
  check: () => undefined,
  messageFor: (_template, event, { id }: Addressed) => {
    const body = JSON.stringify(event, (_name, value) => (typeof value === 'bigint' ? `${value}` : value));
    if (body.includes(unspeakable)) throw new RangeError(unspeakable);
    return { headers: { 'webhook-id': id }, body };
  },
  isGone: (_template, { body }) => body === goneBody,
  pauseAfter: (_template, { headers }) => Number(headers['pause-ms'] ?? 0),
};

export const said = (message: string): StewardEvent => ({
  type: 'chat.said',
  data: { playerId: '1', playerName: 'Ann', message },
});
export const saved = (saveGeneration: number): StewardEvent => ({
  type: 'farm.saved',
  data: { saveGeneration },
});

/** Webhooks over restarts of the process, a disk that does what a test says, and receivers with moods. */
export class HookStory implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly received = new Map<string, Received[]>();
  readonly moods = new Map<string, Mood>();
  readonly lines: string[] = [];
  /** Everything that was ever told, by its cursor. */
  readonly told: { readonly cursor: string; readonly topic: Topic }[] = [];
  lost: string | undefined;
  #directory = temporaryDirectory();
  #process: OpenedLog<StewardEvent>;
  webhooks: Webhooks;

  constructor() {
    this.#process = this.#openLog();
    this.webhooks = this.#openHooks();
  }

  get log() {
    return this.#process.log;
  }

  async make(name: string, topics: readonly Topic[]): Promise<void> {
    const making = this.webhooks.create({ name, topics, url: hookUrl(name) }, undefined);
    await this.settle();
    await making;
  }

  async happens(event: StewardEvent): Promise<void> {
    const { cursor } = this.log.append(event);
    this.told.push({ cursor, topic: topicOf(event.type) });
    await settled();
  }

  /** The disk takes all that waits for it, and everybody has done what they can do now. */
  async settle(): Promise<void> {
    do await settled();
    while (await this.#process.disk('takes'));
    await settled();
  }

  async disk(how: 'takes' | 'refuses' | 'takes and does not say'): Promise<void> {
    await this.#process.disk(how);
    await settled();
  }

  /** Every byte of the database and its journal. */
  get onDisk(): string {
    const { path } = this.#directory;
    return readdirSync(path)
      .map((name) => readFileSync(join(path, name), 'latin1'))
      .join('');
  }

  forget(keep: number): void {
    this.#process.forget(keep);
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settled();
  }

  /** Nothing waits for time any more, either. */
  async rest(): Promise<void> {
    for (let hours = 0; hours < 10; hours += 1) {
      await this.settle();
      await this.advance(3_600_000);
    }
    await this.settle();
  }

  /** Put back, the database is a copy that was taken while it was in use. What runs for one command alone is not started. */
  async restart(how: 'stop' | 'kill' | 'put back', isStarted = true): Promise<void> {
    const before = this.webhooks;
    if (how === 'stop') {
      const stopping = before.stop();
      await this.settle();
      // Whoever is not answered is not waited for.
      await this.advance(1_000);
      await this.settle();
      await stopping;
      await this.#process.stop();
    } else this.#process[Symbol.dispose]();
    this.#process = this.#openLog(how === 'put back');
    if (how !== 'stop') {
      // What the killed one would do, it does no more.
      void before.stop();
      await settled();
    }
    this.webhooks = this.#openHooks(isStarted);
    await settled();
  }

  heardBy(name: string): readonly Received[] {
    return this.received.get(name) ?? [];
  }

  sentTo(name: string): readonly Sent[] {
    return this.heardBy(name).map(({ id, event, mood }) => {
      return { id, body: JSON.stringify(event), isSettled: settling.has(mood) };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process[Symbol.dispose]();
    void this.webhooks.stop();
    await settled();
    this.#directory[Symbol.dispose]();
  }

  #openLog(isAnother = false): OpenedLog<StewardEvent> {
    const limits = { events: 4, bytes: 1_000_000 };
    const path = join(this.#directory.path, 'steward.db');
    return new OpenedLog(path, this.clock, limits, keptEvents, undefined, isAnother);
  }

  #openHooks(isStarted = true): Webhooks {
    const { clock } = this;
    const process = this.#process;
    const log = {
      debug: () => {},
      info: () => {},
      warn: (_facts: object, message: string) => this.lines.push(message),
      error: (_facts: object, message: string) => this.lines.push(message),
    };
    const store = new MemoryStore();
    const webhooks = new Webhooks({
      kept: new KeptWebhooks({
        writer: process.writer,
        clock,
        failed: () => {},
        reader: () => new WebhookReader(process.reading),
        kept: () => keptWebhooks(process.reading),
        noDatabase: () => this.lost,
      }),
      events: process.log,
      operations: new Operations({ store, clock, limits: bridgeLimits, log, keepsJournal: false }),
      egress: this.#egress(process),
      templates: plain,
      clock,
      retryClock: clock,
      random: () => 0,
      log,
    });
    webhooks.load();
    if (isStarted) webhooks.start();
    return webhooks;
  }

  #egress(process: OpenedLog<StewardEvent>): Egress {
    return {
      check: (url) => (url.includes('forbidden') ? 'It goes where nothing may go' : undefined),
      post: async (url, { headers, body }, signal) => {
        const name = new URL(url).hostname.replace('.example', '');
        const mood = this.moods.get(name) ?? 200;
        // What was killed sends nothing any more.
        if (process !== this.#process) return { kind: 'failed', reason: 'killed' };
        if (mood === 'lost') return { kind: 'failed', reason: `${name} cannot be reached` };
        const all = this.received.get(name) ?? [];
        this.received.set(name, all);
        all.push({ id: headers['webhook-id'] ?? '', event: JSON.parse(body), mood });
        if (typeof mood === 'object') return mood;
        if (typeof mood === 'number') return { kind: 'answered', status: mood, headers: {}, body: '' };
        if (mood === 'silent') await new Promise((over) => signal.addEventListener('abort', over));
        return { kind: 'failed', reason: `${name} did not answer` };
      },
    };
  }
}
