import type { Clock, Timer } from '@steward/service-kit/clock';

/**
 * A reader that takes longer for what it missed comes back and goes on from there: what is written to all who come within moments is
 * made once, so that however many never read, no more of the past is held than was asked for in this time.
 */
export const catchUpMs = 5 * 60_000;

/** The way to one client: whole frames in. */
export interface Sink {
  /** Bytes that were written and that the client has not taken. */
  readonly unread: number;
  /** Returns whether the client takes more at once; if not, `whenTaken` says when it does. */
  write(frame: Buffer): boolean;
  /** Calls back once, when everything that was written is taken. */
  whenTaken(action: () => void): void;
}

/** All that is written to one client, in order. A client that does not read is given up, and nobody waits for it. */
export class Outbox {
  readonly #sink: Sink;
  readonly #unreadBytes: number;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #giveUp: () => void;
  #catchingUp: Timer | undefined;
  /** What of the past, and behind it of the present, is still to be written; undefined when the client is up to date. */
  #backlog: Buffer[] | undefined;
  #next = 0;
  #newBytes = 0;

  constructor(sink: Sink, unreadBytes: number, clock: Pick<Clock, 'after'>, giveUp: () => void) {
    this.#sink = sink;
    this.#unreadBytes = unreadBytes;
    this.#clock = clock;
    this.#giveUp = giveUp;
  }

  /** Whether nothing that was told is still to be written. */
  get isUpToDate(): boolean {
    return this.#backlog === undefined;
  }

  /** Writes an answer; it may overtake chat. Returns whether it was written. */
  write(frame: Buffer): boolean {
    if (this.#sink.unread > this.#unreadBytes) {
      this.#giveUp();
      return false;
    }
    this.#sink.write(frame);
    return true;
  }

  /** Writes what was said just now, behind whatever of the past is still to come. */
  deliver(frame: Buffer): boolean {
    if (this.#backlog === undefined) return this.write(frame);
    this.#newBytes += frame.length;
    if (this.#newBytes > this.#unreadBytes) {
      this.#giveUp();
      return false;
    }
    this.#backlog.push(frame);
    return true;
  }

  /** What is said from now on waits for what was said before, which is still being looked for. */
  hold(): void {
    this.#backlog = [];
  }

  /** Writes what was said before, no faster than the client takes it. */
  replay(frames: readonly Buffer[]): void {
    this.#backlog = [...frames, ...(this.#backlog ?? [])];
    this.#writeBacklog();
  }

  /** Nothing more of the past is written. */
  drop(): void {
    this.#end();
  }

  #writeBacklog(): void {
    for (;;) {
      const frame = this.#backlog?.[this.#next];
      if (frame === undefined) break;
      this.#next += 1;
      if (this.#sink.write(frame)) continue;
      this.#catchingUp ??= this.#clock.after(catchUpMs, this.#giveUp);
      this.#sink.whenTaken(() => this.#writeBacklog());
      return;
    }
    this.#end();
  }

  #end(): void {
    this.#catchingUp?.cancel();
    this.#catchingUp = undefined;
    this.#backlog = undefined;
    this.#next = 0;
    this.#newBytes = 0;
  }
}
