import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Caller, type Event, type FarmOperations, type Status, StewardError } from '@steward/client';
import { isGoodFor, type Needed } from '@steward/shared/scopes';
import { serverNow, setClock } from './clock.ts';
import { type Link, linkAfter, linkWithout } from './link.ts';
import { type FarmAt, type Reached, reached } from './reached.ts';
import { type Answer, type Asked, type ReadId, Reads, readsAfter, type Shown, topicsFor } from './reads.ts';
import { Tabs } from './tabs.ts';

type Word =
  | { readonly is: 'event'; readonly event: Event }
  | { readonly is: 'link'; readonly link: Link }
  | { readonly is: 'opened' };

/** Who was away for longer looks whether its connection is: a sleeping machine hears no word of what was closed meanwhile. */
const sleptMs = 30_000;
const beatMs = 5_000;
const triesMs = { first: 500, longest: 8_000 } as const;
/** How often a key that hears of nothing asks whether it is still good, and the server still there. */
const askEveryMs = 20_000;

/** All that the page knows of one farm, loaded when it is looked at and kept true by what the server tells. Only what failed is asked for again by time. */
export class FarmStore {
  readonly origin: string;
  readonly key: string | undefined;
  readonly link: ReadonlySignal<Link>;
  /** Who the key says one is; undefined until the server has said it. */
  readonly caller: ReadonlySignal<Caller | undefined>;
  readonly status: ReadonlySignal<Status | undefined>;
  readonly #link = signal<Link>({ is: 'connecting', since: serverNow() });
  readonly #caller = signal<Caller | undefined>(undefined);
  readonly #reached: Reached;
  readonly #reads: Reads;
  readonly #ears = new Set<(event: Event) => void>();
  readonly #closing = new AbortController();
  #opened = new Set<() => void>();
  #tabs: Tabs<Word> | undefined;
  #reconnect = () => {};
  #place: string | undefined;
  #awakeAt = Date.now();

  constructor({ origin, key }: FarmAt) {
    this.origin = origin;
    this.key = key;
    this.#reached = reached({ origin, key });
    this.link = this.#link;
    this.caller = this.#caller;
    const { signal: until } = this.#closing;
    let letAsk = () => {};
    const known = new Promise<void>((resolve) => {
      letAsk = resolve;
    });
    this.#reads = new Reads(
      async (id, asked) => {
        const read = this.#reached.asking[id] as (asked: object, options: object) => Promise<unknown>;
        const ask = () => read(asked, { signal: until });
        // Asked while nobody knows yet who one is, and shown to whom the server lets in. What was refused is asked for once more.
        const early = this.#caller.peek() === undefined ? await ask().catch(() => undefined) : undefined;
        await known;
        return early ?? (await ask());
      },
      // The server counts wrong keys: only without one is anything asked for before it says who one is.
      key === undefined ? Promise.resolve() : known,
      () => this.allows('read'),
    );
    this.status = computed(() => (this.allows('read') ? this.read('getStatus').value.value : undefined));
    void this.#begin(letAsk);
  }

  /** For deeds, and for reads that nobody keeps. */
  get client(): FarmOperations {
    return this.#reached.client;
  }

  /** What a read answers: asked for when somebody first looks, and anew whenever the server says that it is another. */
  read<Id extends ReadId>(id: Id, asked?: Asked<Id>): ReadonlySignal<Shown<Answer<Id>>> {
    return this.#reads.of(id, asked);
  }

  /** Whether the key is good for a scope; what it is not good for is not offered. While nobody knows everything is. */
  allows(needed: Needed): boolean {
    const caller = this.#caller.value;
    return caller === undefined || isGoodFor(new Set(caller.scopes), needed);
  }

  /** Has those asked for anew of which no event tells: after a deed of one's own. It ends when their answers are there. */
  makeOld(...ids: readonly ReadId[]): Promise<void> {
    return this.#reads.makeOld(ids);
  }

  /** After a deed: where the key may not hear what came of it, all is asked for anew. */
  afterDeed(): void {
    if (!this.allows('read')) void this.#reads.makeOld();
  }

  /** Each event that the key may hear, in order. */
  onEvent(listener: (event: Event) => void): () => void {
    this.#ears.add(listener);
    return () => this.#ears.delete(listener);
  }

  /** Told whenever a connection stands anew: what was not heard until then may be another. */
  onOpen(listener: () => void): () => void {
    this.#opened.add(listener);
    return () => this.#opened.delete(listener);
  }

  /** Looks at once instead of waiting for the next try. */
  wake(): void {
    this.#tabs?.wake();
    this.#reconnect();
  }

  close(): void {
    this.#closing.abort();
    this.#reconnect();
    this.#tabs?.close();
  }

  async #begin(letAsk: () => void): Promise<void> {
    let caller = await this.#whoIs();
    if (caller === undefined) return;
    // Where the key is wrong one request finds it out: the server counts them. What it is not good for is out of sight by then.
    setTimeout(letAsk);
    const topics = topicsFor(caller);
    this.#watchSleep();
    while (topics.length === 0) {
      if (this.#link.peek().is !== 'live') this.#open();
      await this.#pause(askEveryMs);
      caller = await this.#whoIs();
      if (caller === undefined) return;
    }
    this.#tabs = new Tabs<Word>(`steward ${this.origin} ${digest(this.key ?? '')}`, {
      lead: (until) => void this.#listen(topics, until),
      hear: (word) => this.#hear(word),
      greet: () => this.#tabs?.tell({ is: 'link', link: this.#link.peek() }),
      wake: () => this.#reconnect(),
    });
  }

  /** Tries for ever, except where the key is wrong: undefined then. */
  async #whoIs(): Promise<Caller | undefined> {
    const { signal: until } = this.#closing;
    for (let tries = 0; !until.aborted; tries += 1) {
      try {
        this.#caller.value = await this.#reached.asking.getCaller(
          {},
          { signal: until, timeoutMs: triesMs.longest },
        );
        return this.#caller.value;
      } catch (error) {
        if (until.aborted || !(error instanceof StewardError)) return undefined;
        const { status = 0 } = error;
        // A right key is never refused for the wrong ones: one that is told to wait is wrong, too.
        const isTooMany = error.code === 'too-many-requests';
        const isForGood = status >= 400 && status < 500 && (isTooMany || error.problem?.retry !== true);
        const link = isForGood
          ? linkAfter(error, serverNow())
          : linkWithout(error, this.#link.peek(), serverNow());
        this.#linked(link);
        // What is no farm's server may be a proxy that stands in for it while it is away.
        if (link.is === 'locked') return undefined;
        await this.#pause(Math.min(triesMs.first * 2 ** tries, triesMs.longest));
      }
    }
    return undefined;
  }

  async #listen(topics: ReturnType<typeof topicsFor>, until: AbortSignal): Promise<void> {
    while (!until.aborted && !this.#closing.signal.aborted) {
      const turn = new AbortController();
      const end = () => turn.abort();
      this.#reconnect = end;
      until.addEventListener('abort', end);
      try {
        const { signal: turnSignal } = turn;
        const events = this.#reached.events({
          topics,
          after: this.#place,
          signal: turnSignal,
          onOpen: () => this.#tellAll({ is: 'opened' }),
          onDrop: (error) => this.#drop(error),
        });
        for await (const event of events) this.#tellAll({ is: 'event', event });
      } catch (error) {
        if (!(error instanceof StewardError)) throw error;
        const link = linkAfter(error, serverNow());
        this.#tellAll({ is: 'link', link });
        if (link.is === 'locked') return;
        await this.#pause(triesMs.longest);
      } finally {
        until.removeEventListener('abort', end);
      }
    }
  }

  #drop(error: StewardError): void {
    this.#tellAll({ is: 'link', link: linkWithout(error, this.#link.peek(), serverNow()) });
  }

  #tellAll(word: Word): void {
    this.#tabs?.tell(word);
    this.#hear(word);
  }

  #hear(word: Word): void {
    if (word.is === 'link') {
      // One who has just come to know of a connection has missed what was told before.
      if (word.link.is === 'live' && this.#link.peek().is !== 'live') this.#open();
      else this.#linked(word.link);
      // Whoever comes later with the same key finds out alone whether it is good again.
      if (word.link.is === 'locked') {
        this.#tabs?.close();
        this.#tabs = undefined;
      }
    } else if (word.is === 'opened') this.#open();
    else this.#happened(word.event);
  }

  #open(): void {
    this.#linked({ is: 'live', since: serverNow() });
    this.#reads.makeOld();
    void this.#readClock();
    for (const listener of this.#opened) listener();
  }

  /** Where nobody answers, it is as it was. */
  async #readClock(): Promise<void> {
    const askedAt = Date.now();
    const health = await this.#reached.asking
      .getHealth({}, { signal: this.#closing.signal })
      .catch(() => undefined);
    if (health !== undefined) setClock(this.origin, health.timestamp, askedAt);
  }

  #happened(event: Event): void {
    this.#place = event.cursor;
    if (event.type === 'server.stopping') this.#linked({ is: 'restarting', since: serverNow() });
    // Whoever missed the stop is told of it by the next server, and of its start right behind.
    if (event.type === 'server.started') this.#linked({ is: 'live', since: serverNow() });
    const reads = readsAfter(event);
    if (reads.length > 0) this.#reads.makeOld(reads);
    for (const listener of this.#ears) listener(event);
  }

  #linked(link: Link): void {
    this.#link.value = link;
  }

  /** A machine that slept has a connection of which it does not know yet whether it is one. */
  #watchSleep(): void {
    const { signal: until } = this.#closing;
    const look = () => {
      const isVisible = document.visibilityState === 'visible';
      const slept = Date.now() - this.#awakeAt > sleptMs;
      this.#awakeAt = Date.now();
      if (isVisible && slept) this.wake();
    };
    // Timers of tabs that nobody sees come late by themselves.
    const beat = setInterval(() => document.visibilityState === 'visible' && look(), beatMs);
    document.addEventListener('visibilitychange', look, { signal: until });
    addEventListener('online', () => this.wake(), { signal: until });
    until.addEventListener('abort', () => clearInterval(beat));
  }

  /** Until then, or until somebody wants it tried at once, or nobody wants it any more. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#reconnect = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Tabs with other keys are no concern of one another's; the name of what they share is no place for a key. */
function digest(text: string): string {
  let sum = 0;
  for (const character of text) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return sum.toString(36);
}
