export interface GatheringLimits {
  readonly gatherMs: number;
  readonly gatherBytes: number;
}

/**
 * Writes what comes alone at once, and what comes close behind it together: while a game tells much in a moment, each
 * client costs one write a moment instead of one a message. Nothing waits longer than `gatherMs`.
 */
export class Gathering {
  readonly #limits: GatheringLimits;
  readonly #write: (frames: Buffer, messages: number) => void;
  #frames: Buffer[] = [];
  #bytes = 0;
  #moment: NodeJS.Timeout | undefined;

  constructor(limits: GatheringLimits, write: (frames: Buffer, messages: number) => void) {
    this.#limits = limits;
    this.#write = write;
  }

  add(frame: Buffer): void {
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (this.#moment === undefined || this.#bytes > this.#limits.gatherBytes) this.flush();
    this.#moment ??= setTimeout(() => this.#momentIsOver(), this.#limits.gatherMs);
  }

  /** Writes what waits. Called before anything that must not overtake it. */
  flush(): void {
    const [first, ...rest] = this.#frames;
    if (first === undefined) return;
    this.#frames = [];
    this.#bytes = 0;
    this.#write(rest.length === 0 ? first : Buffer.concat([first, ...rest]), rest.length + 1);
  }

  stop(): void {
    this.flush();
    clearTimeout(this.#moment);
  }

  #momentIsOver(): void {
    this.#moment = undefined;
    if (this.#frames.length === 0) return;
    this.flush();
    this.#moment = setTimeout(() => this.#momentIsOver(), this.#limits.gatherMs);
  }
}
