import type { Answer } from './answer.ts';

type Settle = (answer: Answer) => void;

/** The requests that wait for their answer. Each is settled once; a second answer, or one to nothing, is no harm. */
export class OutgoingRequests {
  readonly #waiting = new Map<string, Settle>();
  #count = 0n;

  /** Returns the id of the new request. */
  add(settle: Settle): string {
    this.#count += 1n;
    const id = this.#count.toString();
    this.#waiting.set(id, settle);
    return id;
  }

  forget(id: string): void {
    this.#waiting.delete(id);
  }

  settle(id: string, answer: Answer): void {
    const settle = this.#waiting.get(id);
    if (settle === undefined) return;
    this.#waiting.delete(id);
    settle(answer);
  }

  closeAll(why: string): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, { kind: 'closed', why });
  }
}
