/** So often is said how far it is, at the most, and at the least. */
const betweenMs = 5_000;
const silenceMs = 30_000;

/** Says how many of the files are done, and which are being run for how long: in a log, where nothing shows it otherwise. */
export default class ProgressReporter {
  #files = 0;
  #done = 0;
  #failed = 0;
  #saidAt = Number.NEGATIVE_INFINITY;
  #timer;
  /** When each began, by its name. */
  #running = new Map();

  onTestRunStart(specifications) {
    this.#files = specifications.length;
    this.#timer = setInterval(() => this.#say(), silenceMs);
    this.#timer.unref();
  }

  onTestModuleStart({ relativeModuleId }) {
    this.#running.set(relativeModuleId, performance.now());
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.relativeModuleId);
    this.#done += 1;
    if (!module.ok()) this.#failed += 1;
    if (performance.now() - this.#saidAt >= betweenMs) this.#say();
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #say() {
    const now = performance.now();
    this.#saidAt = now;
    const running = [...this.#running].map(
      ([name, since]) => `${name} ${Math.round((now - since) / 1_000)} s`,
    );
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    const rest = running.length > 0 ? `; running: ${running.join(', ')}` : '';
    console.log(`${this.#done} of ${this.#files} files${failed}${rest}`);
  }
}
