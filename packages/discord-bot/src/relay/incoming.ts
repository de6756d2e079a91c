import { type Farm, StewardError } from '@steward/client';
import { Backoff, type Clock, pause } from '@steward/service-kit/clock';
import type { APIMessage } from 'discord-api-types/v10';
import type { Channel } from '../discord/channel.ts';
import { reasonOf, verdictOf } from '../discord/errors.ts';
import { type DiscordTime, idAt, isNewer, madeAtMs } from '../discord/snowflakes.ts';
import type { Log } from '../log.ts';
import { type Names, type ReadMessage, type Spoken, spoken } from '../text/inward.ts';
import { harmless } from '../text/outward.ts';
import type { PlacesFile } from './places.ts';

/** By the gateway a message says how its author is called on the server, too. */
export type Heard = APIMessage & Pick<ReadMessage, 'member'>;

interface Parts {
  readonly farm: Pick<Farm, 'sendChat'>;
  readonly channel: Pick<Channel, 'after' | 'isOwn' | 'forgetNicks' | 'nickOf' | 'saw' | 'mark' | 'answer'>;
  readonly file: PlacesFile;
  readonly names: Names;
  /** Whether other bots and webhooks are listened to. */
  readonly hearsBots: boolean;
  readonly clock: Clock;
  readonly time: Pick<DiscordTime, 'nowMs'>;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

interface Waiting extends Spoken {
  readonly id: string;
}

/** More than this waits in Discord, where it is read again. */
const mostWaiting = 500;

/** What is older is not said any more: whoever plays now would read a conversation of yesterday. */
const tooOldMs = 60 * 60_000;

/** How long a line waits for a game that is away, as for one that is started anew. */
const awayMs = 60_000;

/** Less than the server asks callers to wait for a game: once it is known to be away, one request tells whether it is back. */
const onceMs = 4_000;

/** How often it is told in the channel that lines are not said. */
const toldEveryMs = 5 * 60_000;

const waits = { firstMs: 1_000, factor: 2, longestMs: 30_000, steadyMs: 0 } as const;

/** Messages that people write, and answers to them; everything else is a notice of Discord's own. */
const written: readonly number[] = [0, 19];

const signs = { cut: '✂️', refused: '❌' } as const;

/** From Discord to the farm: one line at a time, in order. What was missed is read from the channel. */
export class Incoming {
  readonly #parts: Parts;
  readonly #waiting: Waiting[] = [];
  /** By the ids, of what lately came: over a new session some comes by both ways. */
  readonly #taken = new Set<string>();
  /** What comes by the gateway while the channel is read: it is behind all that. */
  #held: Heard[] | undefined = [];
  #isBehind = false;
  /** Up to here everything was done before this process. */
  readonly #begun: string;
  /** The newest that was taken. */
  #reached: string;
  #away: { readonly since: number; readonly metAt: number } | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #wake = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
    const { discord, channel } = parts.file.places;
    this.#begun = discord ?? channel;
    this.#reached = this.#begun;
  }

  /** Told of each message that the gateway brings. */
  hear(message: Heard): void {
    this.#parts.channel.saw(message.id);
    if (this.#held !== undefined) this.#held.push(message);
    else this.#take(message);
    // What does not fit is found where it stands, once there is room again.
    const tooMany = this.#held ?? this.#waiting;
    if (tooMany.length <= mostWaiting) return;
    this.#held = [];
    this.#isBehind = true;
  }

  /** Told when a session of the gateway has begun: what was said before it may not have come. */
  catchUp(): void {
    this.#held ??= [];
    this.#isBehind = true;
    this.#wake();
  }

  /** Speaks until the signal comes; rejects where the farm, or Discord, has nothing for this bot any more. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wake());
    while (!signal.aborted) {
      const next = this.#waiting[0];
      if (next !== undefined) {
        await this.#say(next, signal);
        if (!signal.aborted) this.#waiting.shift();
      } else if (this.#isBehind) await this.#read(signal);
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** Reads what the channel has behind the last line, as much as may wait here. */
  async #read(signal: AbortSignal): Promise<void> {
    const { channel, clock, random, log } = this.#parts;
    const backoff = new Backoff(waits, random);
    channel.forgetNicks();
    this.#held ??= [];
    this.#isBehind = false;
    while (!signal.aborted) {
      try {
        for await (const message of channel.after(this.#readFrom)) {
          this.#take({ ...message, member: { nick: await channel.nickOf(message) } });
          if (this.#waiting.length < mostWaiting) continue;
          this.#isBehind = true;
          return;
        }
        // More has come than is held, or a new session has begun: the channel has it.
        if (this.#isBehind) return;
        const held = this.#held ?? [];
        this.#held = undefined;
        for (const message of held) this.#take(message);
        return;
      } catch (error) {
        if (verdictOf(error) === 'over') throw error;
        log.warn({ reason: reasonOf(error) }, 'the channel cannot be read; the bot tries again');
        await pause(backoff.pause(0), clock, signal);
      }
    }
  }

  /** Behind the last line; after a long absence, behind what nobody is told any more. */
  get #readFrom(): string {
    const { file, time } = this.#parts;
    const last = file.places.discord ?? file.places.channel;
    const oldest = idAt(time.nowMs() - tooOldMs);
    return isNewer(oldest, last) ? oldest : last;
  }

  #take(message: Heard): void {
    const { channel, file, names, hearsBots } = this.#parts;
    const { id, author, webhook_id, type } = message;
    // Of two that are written at once the later may come first, so that the place alone does not tell what was taken.
    if (this.#taken.has(id) || !isNewer(id, this.#begun)) return;
    this.#taken.add(id);
    if (this.#taken.size > 2 * mostWaiting) this.#taken.delete(this.#taken.values().next().value ?? '');
    if (isNewer(id, this.#reached)) this.#reached = id;
    const isBot = author.bot === true || webhook_id !== undefined;
    const isHeard = written.includes(type) && !channel.isOwn(message) && (hearsBots || !isBot);
    const said = isHeard ? spoken(message, names) : undefined;
    if (said !== undefined) this.#waiting.push({ id, ...said });
    if (this.#waiting.length === 0) file.places.discord = this.#reached;
    this.#wake();
  }

  async #say({ id, author, text, isCut }: Waiting, signal: AbortSignal): Promise<void> {
    const { farm, channel, file, time, clock, random, log } = this.#parts;
    const backoff = new Backoff(waits, random);
    for (;;) {
      if (time.nowMs() - madeAtMs(id) > tooOldMs) {
        log.info({ messageId: id }, 'a message is older than an hour, and is not sent to the game');
        break;
      }
      const askedAt = clock.now();
      try {
        const { truncated } = await farm.sendChat(
          { author, message: text },
          {
            signal,
            idempotencyKey: `discord-${id}`,
            timeoutMs: this.#away === undefined ? undefined : onceMs,
          },
        );
        this.#away = undefined;
        if (isCut || truncated) void channel.mark(id, signs.cut);
        break;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof StewardError) || isOfTheKey(error)) throw error;
        if (!this.#mayPass(error, askedAt)) {
          this.#refuse(id, error);
          break;
        }
        log.warn({ reason: error.detail }, 'a line did not reach the game; the bot tries again');
        await pause(Math.max(error.retryAfterMs ?? 0, backoff.pause(0)), clock, signal);
        if (signal.aborted) return;
      }
    }
    // What was passed over behind it is done with, too.
    const place = this.#waiting.length > 1 ? id : this.#reached;
    if (isNewer(place, file.places.discord ?? this.#begun)) file.places.discord = place;
    file.saveSoon();
  }

  /** Whether another try may end otherwise, soon enough. A farm that cannot be reached is waited for. */
  #mayPass({ problem, code }: StewardError, askedAt: number): boolean {
    if (problem === undefined || code === 'too-many-requests' || code === 'shutting-down') return true;
    if (problem.retry !== true) return false;
    const now = this.#parts.clock.now();
    // Nobody has said anything meanwhile: what was away then may have been back for long.
    if (this.#away !== undefined && now - this.#away.metAt >= awayMs) this.#away = undefined;
    const since = this.#away?.since ?? askedAt;
    this.#away = { since, metAt: now };
    return now - since < awayMs;
  }

  /** Whoever wrote it sees that it was not said; why stands below the first. */
  #refuse(id: string, { detail, applied }: StewardError): void {
    const { channel, clock, log } = this.#parts;
    log.warn({ messageId: id, reason: detail }, 'a line was not shown in the game');
    void channel.mark(id, signs.refused);
    if (clock.now() - this.#toldAt < toldEveryMs) return;
    this.#toldAt = clock.now();
    const what =
      applied === null ? 'It is unknown whether the game has shown this' : 'The game has not shown this';
    void channel.answer(id, `${what}: ${harmless(detail)}`);
  }
}

/** The next line would fare no better. */
export function isOfTheKey({ status, problem }: StewardError): boolean {
  return problem !== undefined && (status === 401 || status === 403);
}
