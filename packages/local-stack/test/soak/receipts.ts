/** No answer to a `chat_send` takes longer on a connection that holds, a game that stands still and a slow machine included. */
const answeredWithinMs = 40_000;

/** What became of everything that a bot said: one receipt each, as long as the connection holds. */
export class Receipts {
  readonly counts: Record<string, number> = {};
  readonly #bot: string;
  readonly #violations: string[];
  readonly #open = new Map<string, number>();
  #last = 0;

  constructor(bot: string, violations: string[]) {
    this.#bot = bot;
    this.#violations = violations;
  }

  next(): string {
    this.#last += 1;
    const id = `${this.#bot}-${this.#last}`;
    this.#open.set(id, performance.now());
    return id;
  }

  came({ id, status }: { readonly id: string; readonly status: string }): void {
    if (!this.#open.delete(id)) this.#violations.push(`${id} has a second receipt: ${status}`);
    this.#count(status);
  }

  /** The connection is gone, and every receipt that was under way with it. */
  lost(): void {
    for (const _ of this.#open) this.#count('lost with the connection');
    this.#open.clear();
  }

  check(now = performance.now()): void {
    for (const [id, since] of this.#open)
      if (now - since > answeredWithinMs)
        this.#violations.push(`${id} has no receipt after ${now - since} ms`);
  }

  #count(status: string): void {
    this.counts[status] = (this.counts[status] ?? 0) + 1;
  }
}
