export interface GatheringLimits {
  readonly gatherMs: number;
  readonly gatherBytes: number;
}

/** Writing that is done faster than this is not worth waiting for; a timer could not wait so short anyway. */
const briefMs = 0.5;

/**
 * Writes what comes alone at once, and what comes close behind it together: as long as the last writing took, to however
 * many clients, but never longer than `gatherMs`. So a few clients wait for nothing, and while a game tells much to many,
 * each costs one write a moment instead of one a message.
 */
export class Gathering {
  readonly #limits: GatheringLimits;
  readonly #write: (frames: Buffer, messages: number) => void;
  readonly #now: () => number;
  #frames: Buffer[] = [];
  #bytes = 0;
  #tookMs = 0;
  #moment: NodeJS.Timeout | undefined;

  constructor(
    limits: GatheringLimits,
    write: (frames: Buffer, messages: number) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#write = write;
    this.#now = now;
  }

  add(frame: Buffer): void {
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (this.#moment === undefined || this.#bytes > this.#limits.gatherBytes) this.flush();
    if (this.#moment === undefined && this.#tookMs >= briefMs) this.#gather();
  }

  /** Writes what waits. Called before anything that must not overtake it. */
  flush(): void {
    const [first, ...rest] = this.#frames;
    if (first === undefined) return;
    this.#frames = [];
    this.#bytes = 0;
    const began = this.#now();
    this.#write(rest.length === 0 ? first : Buffer.concat([first, ...rest]), rest.length + 1);
    this.#tookMs = this.#now() - began;
  }

  stop(): void {
    this.flush();
    clearTimeout(this.#moment);
  }

  #gather(): void {
    this.#moment = setTimeout(
      () => {
        this.#moment = undefined;
        if (this.#frames.length === 0) return;
        this.flush();
        if (this.#tookMs >= briefMs) this.#gather();
      },
      Math.min(this.#tookMs, this.#limits.gatherMs),
    );
  }
}
