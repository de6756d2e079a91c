const everyMs = 5;

/** How much processor time the event loop's thread took at most without coming round; who else runs does not matter to it. */
export class LongestTurn {
  #longestMs = 0;
  #before = process.threadCpuUsage();

  constructor() {
    setInterval(() => this.#look(), everyMs).unref();
  }

  /** The longest since it was last taken. */
  take(): number {
    this.#look();
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
  }

  #look(): void {
    const { user, system } = process.threadCpuUsage(this.#before);
    this.#before = process.threadCpuUsage();
    this.#longestMs = Math.max(this.#longestMs, (user + system) / 1_000);
  }
}
