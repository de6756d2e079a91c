import { Backoff, type Clock, pause } from '@steward/service-kit/clock';
import { reasonOf, verdictOf } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import type { Line } from './lines.ts';
import type { PlacesFile } from './places.ts';
import { nextPost, type Post, withoutName } from './posts.ts';

/** The channel, as far as posts go. */
export interface Posting {
  /** Whether a post may carry a name, as those of a webhook do. */
  readonly hasNames: boolean;
  /** The newest message that has been seen. */
  readonly newest: string;
  /** The id of the message that it has become. */
  post(post: Post): Promise<string>;
  /** The id of the message that a post has become, if Discord has it. */
  find(post: Post): Promise<string | undefined>;
  /** From now on the bot itself speaks. */
  giveUpWebhook(): void;
}

interface Parts {
  readonly channel: Posting;
  readonly file: PlacesFile;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** More than this waits on the server, which can hold it. */
const mostWaiting = 500;

const refusedNotice = '⚠️ Discord did not accept a line from the farm, so it is not shown here.';

const waits = { firstMs: 1_000, factor: 2, longestMs: 60_000, steadyMs: 0 } as const;

/**
 * From the farm to Discord: one post at a time, in order. Each is written down before it is sent; where its outcome is unknown, by a lost answer or
 * the end of this process, the channel is read before anything is sent again.
 */
export class Outgoing {
  readonly #parts: Parts;
  readonly #waiting: Line[] = [];
  /** So many of those that wait are posted each by itself: together they were refused. */
  #apart = 0;
  #wake = () => {};
  #room = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when there is room for another. */
  async add(line: Line): Promise<void> {
    this.#waiting.push(line);
    this.#wake();
    if (this.#waiting.length < mostWaiting) return;
    await new Promise<void>((resolve) => {
      this.#room = resolve;
    });
  }

  /** Posts until the signal comes; rejects where Discord takes nothing from this bot any more. */
  async run(signal: AbortSignal): Promise<void> {
    const {
      channel,
      file: { places },
    } = this.#parts;
    signal.addEventListener('abort', () => {
      this.#wake();
      this.#room();
    });
    if (places.posting !== undefined) await this.#deliver(places.posting, [], true, signal);
    while (!signal.aborted) {
      const next = this.#apart > 0 ? this.#waiting.slice(0, 1) : this.#waiting;
      const joined = nextPost(next, channel.hasNames);
      if (joined === undefined) {
        if (this.#waiting.length > 0) this.#pass();
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        continue;
      }
      const { lines, ...post } = joined;
      const taken = this.#waiting.splice(0, lines);
      this.#apart = Math.max(0, this.#apart - lines);
      this.#room();
      await this.#deliver({ ...post, since: channel.newest }, taken, false, signal);
    }
  }

  /** Lines that show nothing are done with as they come. */
  #pass(): void {
    this.#parts.file.places.farm = this.#waiting.at(-1)?.cursor;
    this.#waiting.length = 0;
    this.#room();
    this.#parts.file.saveSoon();
  }

  async #deliver(
    made: Post,
    lines: readonly Line[],
    isFromBefore: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, random, log } = this.#parts;
    const backoff = new Backoff(waits, random);
    let post: Post | undefined = made;
    for (let isUncertain = isFromBefore; post !== undefined && !signal.aborted; ) {
      try {
        const rest: Post | 'refused' | undefined = await this.#try(post, isUncertain);
        if (rest === 'refused') return this.#insteadOf(made, lines);
        post = rest;
        isUncertain = false;
      } catch (error) {
        const verdict = verdictOf(error);
        if (verdict === 'over') throw error;
        if (signal.aborted) return;
        isUncertain ||= verdict === 'uncertain';
        log.warn({ reason: reasonOf(error) }, 'a post failed; the bot tries again');
        await pause(backoff.pause(0), clock, signal);
      }
    }
    if (post === undefined) this.#done(made.upTo);
  }

  /** Of lines that are refused together each is tried by itself; in the place of one alone it is told that there was one. */
  #insteadOf({ content, upTo }: Post, lines: readonly Line[]): void {
    const { file } = this.#parts;
    const shown = lines.filter(({ text }) => text);
    if (shown.length > 1) {
      this.#waiting.unshift(...shown);
      this.#apart += shown.length;
      // Whoever begins here after a stop is told them again.
      file.places.posting = undefined;
      file.saveSoon();
    } else if (content === refusedNotice) this.#done(upTo);
    else {
      this.#waiting.unshift({ cursor: upTo, text: refusedNotice });
      this.#apart += 1;
    }
  }

  #done(upTo: string): void {
    const { file } = this.#parts;
    file.places.farm = upTo;
    file.places.posting = undefined;
    file.saveSoon();
  }

  /** What is still to be posted after a try: nothing, the same in another way, or by an error the same; or that it never can be. */
  async #try(post: Post, isUncertain: boolean): Promise<Post | 'refused' | undefined> {
    const { channel, file, log } = this.#parts;
    if (isUncertain && (await channel.find(post)) !== undefined) return undefined;
    // The webhook by which it had a name may have gone while the bot was stopped.
    if (post.name !== undefined && !channel.hasNames) return withoutName(post);
    file.places.posting = post;
    await file.save();
    const { hasNames } = channel;
    try {
      await channel.post(post);
      if (hasNames && !channel.hasNames)
        log.warn(
          {},
          'the webhook was moved to another channel; the bot posts under its own name until it is started again',
        );
      return undefined;
    } catch (error) {
      const verdict = verdictOf(error);
      if (verdict === 'webhook') {
        log.warn(
          { reason: reasonOf(error) },
          'the webhook is gone; the bot posts under its own name from now on',
        );
        channel.giveUpWebhook();
        return withoutName(post);
      }
      if (verdict === 'name' && post.name !== undefined) return withoutName(post);
      if (verdict !== 'name' && verdict !== 'refused') throw error;
      log.warn({ reason: reasonOf(error), content: post.content }, 'Discord refused a post');
      return 'refused';
    }
  }
}
